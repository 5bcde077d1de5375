import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import type { Incoming, Outgoing } from '@filmgate/kit/bus/bus'
import { createOutbox, type Outbox } from '@filmgate/kit/outbox/outbox'
import { type TestDatabase, testDatabase, testLog } from '@filmgate/kit/testing'
import { CreditsEventSchema } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { GenerationsEventSchema, NotCancelledReason } from '@filmgate/proto/gen/filmgate/v1/generations_pb'
import { decode, topics } from '@filmgate/proto/topics'
import { uuidv7 } from 'uuidv7'
import type { PipelineEvent } from '../projection/pipeline-event'
import { project } from '../projection/project'
import type { Task } from '../tasks/task'
import { newTaskId } from '../tasks/task-id'
import { findTasks, listTaskEvents } from '../tasks/task-repository'
import { cancelDue } from './cancel-due'
import { cancelTask } from './cancel-task'
import { readCancelAfter } from './read-cancel-after'

let database: TestDatabase
let outbox: Outbox
const published: Outgoing[] = []
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
  outbox = createOutbox({ sql: database.sql, bus: { publish: async messages => void published.push(...messages) }, log: testLog })
})
afterAll(async () => {
  await outbox.stop()
  await database.drop()
})

const merge = (event: PipelineEvent) => {
  const message = { topic: 't', partition: 0, offset: '0', key: '', traceparent: undefined, timestampMs: Date.now() }
  return project({ sql: database.sql, wake: () => {} }, [{ ...message, event, eventId: uuidv7() } as Incoming<PipelineEvent>])
}
const publishGeneration = (event: NonNullable<MessageInitShape<typeof GenerationsEventSchema>['event']>) =>
  merge(create(GenerationsEventSchema, { event }).event)

async function reserved(): Promise<Task> {
  const [id, accountId] = [newTaskId(), `acct_${crypto.randomUUID()}`]
  await database.sql`insert into account (id, name) values (${accountId}, 'test')`
  await database.sql`
    insert into task (id, account_id, key_id, surface, idempotency_key, fingerprint, model, mode, resolution, billed_seconds, price_version, created_at, updated_at, admit_by)
    values (${id}, ${accountId}, 'k', 'api', ${id}, '', 'alpha-h3', 't', '768p', 5, 'p', now(), now(), now())`
  await merge(create(CreditsEventSchema, { event: { case: 'creditsReserved', value: { order: { taskId: id, credits: 40n } } } }).event)
  return find(id)
}

const find = async (id: string): Promise<Task> => {
  const [task] = await findTasks(database.sql, [id])
  if (!task) throw new Error(`no task ${id}`)
  return task
}

/** Whoever waits sees what `answer` leaves. */
const cancel = (task: Task, answer: () => Promise<unknown> = async () => {}) =>
  cancelTask(
    {
      ...{ outbox, topicPrefix: 'test', now: () => new Date() },
      watch: {
        async wait(id, satisfied) {
          await answer()
          const now = await find(id)
          return satisfied(now) ? now : undefined
        },
      },
    },
    { task, by: 'client', signal: new AbortController().signal },
  )

const requestsOf = ({ accountId }: Task) =>
  published.filter(({ key }) => key === accountId).map(({ value }) => decode(topics.requests.schema, value ?? new Uint8Array()).event.case)

test('a cancel is asked for once, however often and by however many at once, until it is answered', async () => {
  const task = await reserved()
  const answers = await Promise.all(Array.from({ length: 5 }, () => cancel(task)))
  expect(answers.map(({ phase }) => phase)).toEqual(Array(5).fill('admitting'))
  expect(requestsOf(task)).toEqual(['cancelRequested'])
  const history = await listTaskEvents(database.sql, task.id)
  expect(history.filter(({ kind }) => kind === 'cancelRequested').map(({ details }) => details)).toEqual([{ by: 'client' }])
})

test('a refusal of a cancel is 409 with why, and a cancel after ten seconds asks anew', async () => {
  const task = await reserved()
  const refuse = (reason: NotCancelledReason) => publishGeneration({ case: 'generationNotCancelled', value: { taskId: task.id, reason } })
  const details = { task_id: task.id, reason: 'provider_cannot' }
  await expect(cancel(task, () => refuse(NotCancelledReason.PROVIDER_CANNOT))).rejects.toMatchObject({
    reason: 'not_cancellable',
    options: { details },
  })
  await expect(cancel(await find(task.id))).rejects.toMatchObject({ options: { details } })
  expect(requestsOf(task)).toEqual(['cancelRequested'])
  await database.sql`update task set cancel_requested_at = now() - interval '11 seconds' where id = ${task.id}`
  await cancel(await find(task.id))
  expect((await find(task.id)).cancelRefusal).toBeNull()
  expect(requestsOf(task)).toEqual(['cancelRequested', 'cancelRequested'])
})

test('a task that a cancel ended answers with itself, any other end is 409, and neither asks again', async () => {
  const [cancelled, failed] = [await reserved(), await reserved()]
  await publishGeneration({ case: 'generationRefused', value: { taskId: cancelled.id, code: 'cancelled', message: 'words' } })
  await publishGeneration({ case: 'generationFailed', value: { taskId: failed.id, code: 'generation_failed', message: 'words' } })
  for (const { id } of [cancelled, failed])
    await merge(create(CreditsEventSchema, { event: { case: 'creditsRefunded', value: { taskId: id, credits: 40n } } }).event)
  expect(await cancel(await find(cancelled.id))).toMatchObject({ errorCode: 'cancelled', billingStatus: 'refunded' })
  await expect(cancel(await find(failed.id))).rejects.toMatchObject({ options: { details: { reason: 'ended' } } })
  expect([...requestsOf(cancelled), ...requestsOf(failed)]).toEqual([])
})

test('a client’s own deadline cancels its task once its credits are reserved, once, and forgets those of ended ones', async () => {
  const { sql } = database
  const [due, later, ended, early] = [await reserved(), await reserved(), await reserved(), await reserved()]
  await publishGeneration({ case: 'generationCompleted', value: { taskId: ended.id } })
  await sql`update task set cancel_at = now() where id = any(${[due, ended, early].map(({ id }) => id)})`
  await sql`update task set cancel_at = now() + interval '1 hour' where id = ${later.id}`
  await sql`update task set billing_status = null where id = ${early.id}`
  const run = () => cancelDue({ outbox, topicPrefix: 'test', now: () => new Date() }, new AbortController().signal)
  await Promise.all([run(), run(), run()])
  expect([due, later, ended, early].map(requestsOf)).toEqual([['cancelRequested'], [], [], []])
  const waiting = await sql<{ id: string }[]>`select id from task where cancel_at is not null`
  expect(new Set(waiting.map(({ id }) => id))).toEqual(new Set([later.id, early.id]))
  await sql`update task set billing_status = 'reserved' where id = ${early.id}`
  await run()
  expect(requestsOf(early)).toEqual(['cancelRequested'])
})

test('a deadline is a whole number of seconds from 1 to 86400, and any other is named', () => {
  expect([null, '1', '600', '86400'].map(readCancelAfter)).toEqual([undefined, 1, 600, 86_400])
  for (const bad of ['', '0', '-1', '86401', '1.5', '1e2', '60, 60', ' 60', '٦٠', '9'.repeat(400)])
    expect(() => readCancelAfter(bad)).toThrow(
      expect.objectContaining({
        reason: 'invalid_request',
        options: expect.objectContaining({
          details: { issues: [expect.objectContaining({ path: 'Filmgate-Cancel-After', rule: 'cancel_after' })] },
        }),
      }),
    )
})

test('while databases are brought back nothing is cancelled: the attempt that it would be about may be lost', async () => {
  const task = await reserved()
  const deps = { outbox, topicPrefix: 'test', now: () => new Date(), watch: { wait: async () => undefined }, recovering: true }
  const refused = cancelTask(deps, { task, by: 'client', signal: new AbortController().signal })
  await expect(refused).rejects.toMatchObject({ reason: 'service_unavailable', options: { retryAfterSeconds: 60 } })
  expect(await find(task.id)).toEqual(task)
})
