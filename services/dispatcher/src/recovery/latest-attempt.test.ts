import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Outgoing } from '@filmgate/kit/bus/bus'
import type { TransactionSql } from '@filmgate/kit/database/postgres'
import { createOutbox } from '@filmgate/kit/outbox/outbox'
import { type TestDatabase, testDatabase, testLog, until } from '@filmgate/kit/testing'
import { decode, topics } from '@filmgate/proto/topics'
import { insertAttempts } from '../attempt/attempt-repository'
import type { NewAttempt } from '../attempt/plan-attempts'
import { newTaskId } from '../testing/test-system'
import { lockLatestAttempts } from './latest-attempt-repository'
import { replaySince } from './replay'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
})
afterAll(() => database?.drop())

const attempt = (taskId: string, number: number): NewAttempt => ({
  ...{
    id: `at_${taskId}_${number}`,
    taskId,
    accountId: 'acc',
    number,
    provider: 'simulator',
    providerModel: 'm',
    model: 'm',
    state: 'sending',
  },
  ...{
    uploads: false,
    traceparent: null,
    absenceAfterMs: 0,
    generationMsMax: 0,
    code: null,
    cause: null,
    source: { topic: 'credits', bytes: new Uint8Array([1]) },
  },
})
const lease = { owner: 'test', leaseMs: 60_000 }

test('an attempt that gives way to its successor at this moment is not the last one: its refusal would refund what the other makes', async () => {
  const { sql } = database
  const taskId = newTaskId()
  await insertAttempts(sql, [attempt(taskId, 1)], lease)
  const moved = Promise.withResolvers<void>()
  const moving = sql.begin(async own => {
    await own`update attempt set state = 'refused', code = 'generation_unavailable', ended_at = now() where task_id = ${taskId}`
    await insertAttempts(own as TransactionSql, [attempt(taskId, 2)], lease)
    moved.resolve()
    await until('somebody waits for the row', async () => {
      const waiting = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return waiting.length > 0
    })
  })
  await moved.promise
  const latest = await sql.begin(own => lockLatestAttempts(own as TransactionSql, [taskId]))
  await moving
  expect(latest).toMatchObject([{ id: `at_${taskId}_2`, state: 'sending' }])
})

test('what became of attempts since a moment is published again, and of no older ones', async () => {
  const { sql } = database
  const [old, ended, sending] = [newTaskId(), newTaskId(), newTaskId()]
  await insertAttempts(
    sql,
    [old, ended, sending].map(taskId => attempt(taskId, 1)),
    lease,
  )
  await sql`update attempt set state = 'refused', code = 'generation_unavailable', ended_at = now() where task_id in (${old}, ${ended})`
  await sql`update attempt set updated_at = now() - interval '2 hours' where task_id = ${old}`
  const published: string[] = []
  const publish = async (messages: Outgoing[]) =>
    void published.push(
      ...messages.map(({ value }) => decode(topics.generations.schema, value ?? new Uint8Array()).event.value?.taskId ?? ''),
    )
  const outbox = createOutbox({ sql, bus: { publish }, log: testLog })
  const deps = { outbox, topicPrefix: 'test', outputBaseUrl: '', askForPoster: async () => undefined }
  expect(await replaySince(deps, { since: new Date(Date.now() - 3_600_000), after: '' })).toMatchObject({ next: null })
  expect(published.filter(id => [old, ended, sending].includes(id))).toEqual([ended])
  await outbox.stop()
})
