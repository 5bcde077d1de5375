import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { TransactionSql } from '@filmgate/kit/database/postgres'
import { type TestDatabase, testDatabase, until } from '@filmgate/kit/testing'
import { insertAttempts } from '../attempt/attempt-repository'
import type { NewAttempt } from '../attempt/plan-attempts'
import { newTaskId } from '../testing/test-system'
import { lockLatestAttempts } from './latest-attempt-repository'

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
