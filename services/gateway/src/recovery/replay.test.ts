import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import type { Incoming, Outgoing } from '@filmgate/kit/bus/bus'
import { createOutbox, type Outbox } from '@filmgate/kit/outbox/outbox'
import { type TestDatabase, testDatabase, testLog } from '@filmgate/kit/testing'
import { type CreditsEvent, CreditsEventSchema } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { GenerationsEventSchema } from '@filmgate/proto/gen/filmgate/v1/generations_pb'
import { decode, topics } from '@filmgate/proto/topics'
import { uuidv7 } from 'uuidv7'
import { createRecordRequest, type NewRequest } from '../generations/record-request'
import type { PipelineEvent } from '../projection/pipeline-event'
import { project } from '../projection/project'
import { newTaskId } from '../tasks/task-id'
import { replaySilent, replayTask } from './replay'

const hour = 3_600_000
const silence = { afterMs: hour, waitMsMax: 24 * hour, rowsMax: 50 }

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

const deps = () => ({ outbox, topicPrefix: 'test' })
const hear = (event: CreditsEvent['event'] | PipelineEvent) => {
  const message = { topic: 't', partition: 0, offset: '0', key: '', traceparent: undefined, timestampMs: Date.now() }
  return project({ sql: database.sql, wake: () => {} }, [{ ...message, event, eventId: uuidv7() } as Incoming<PipelineEvent>])
}
const credits = (taskId: string, name: 'creditsSettled' | 'reviewOpened') =>
  hear(create(CreditsEventSchema, { event: { case: name, value: { taskId } } }).event)
const completed = (taskId: string) =>
  hear(create(GenerationsEventSchema, { event: { case: 'generationCompleted', value: { taskId } } }).event)

/** A task that was taken as many hours ago. */
async function recorded(hoursAgo: number): Promise<NewRequest['task']> {
  const accountId = `acct_${crypto.randomUUID()}`
  await database.sql`insert into account (id, name) values (${accountId}, 'test')`
  const createdAt = new Date(Date.now() - hoursAgo * hour)
  const identity = {
    id: newTaskId(),
    accountId,
    keyId: 'k',
    surface: 'api' as const,
    prompt: 'a cat',
    idempotencyKey: crypto.randomUUID(),
    fingerprint: Buffer.alloc(32, 7),
  }
  const asked = {
    model: 'alpha-h3',
    mode: 'text-to-video',
    resolution: '768p',
    billedSeconds: 5,
    request: null,
    breakdown: [],
    priceVersion: 'p1',
    tags: null,
  }
  const task = { ...identity, ...asked, createdAt, admitBy: createdAt, eventId: uuidv7() }
  await createRecordRequest({ sql: database.sql, outbox, topicPrefix: 'test', replayAfterMs: hour })({ task, order: { prompt: 'a cat' } })
  return task
}

const requestsOf = ({ accountId }: { accountId: string }) =>
  published.filter(({ key }) => key === accountId).map(({ value }) => decode(topics.requests.schema, value ?? new Uint8Array()).event)
const waitHours = async ({ id }: { id: string }) => {
  const [row] = await database.sql<{ hours: number }[]>`
    select extract(epoch from retell_at - now())::float8 / 3600 as hours from task_request where task_id = ${id}`
  return row && Math.round(row.hours * 10) / 10
}

test('a task of which nothing was heard is replayed as it went out, then after twice as long each time, up to a day', async () => {
  const task = await recorded(2)
  const waits: (number | undefined)[] = []
  for (let round = 0; round < 7; round++) {
    await database.sql`update task_request set retell_at = now() where task_id = ${task.id}`
    await Promise.all([replaySilent(deps(), silence), replaySilent(deps(), silence)])
    waits.push(await waitHours(task))
  }
  expect(waits).toEqual([2, 4, 8, 16, 24, 24, 24])
  const sent = requestsOf(task)
  expect(sent).toHaveLength(8)
  expect(sent[7]).toEqual(sent[0] as (typeof sent)[number])
  expect(sent[0]).toMatchObject({ case: 'generationRequested', value: { order: { taskId: task.id, prompt: 'a cat' } } })
})

test('a task that was heard of waits on from there, and its next waits are as short as ever', async () => {
  const task = await recorded(2)
  await database.sql`update task set updated_at = now() - interval '30 minutes' where id = ${task.id}`
  await replaySilent(deps(), silence)
  expect([requestsOf(task).length, await waitHours(task)]).toEqual([1, 0.5])
})

test('a young task is left alone', async () => {
  const task = await recorded(0)
  await replaySilent(deps(), silence)
  expect([requestsOf(task).length, await waitHours(task)]).toEqual([1, 1])
})

const reserved = (taskId: string) =>
  hear(create(CreditsEventSchema, { event: { case: 'creditsReserved', value: { order: { taskId, credits: 7n }, available: 3n } } }).event)

test('a task that ended while its reservation was never heard is replayed until it is: its price and its usage record come with it', async () => {
  const task = await recorded(2)
  await completed(task.id)
  await credits(task.id, 'creditsSettled')
  await database.sql`update task set updated_at = now() - interval '2 hours' where id = ${task.id}`
  await replaySilent(deps(), silence)
  expect([requestsOf(task).length, await waitHours(task)]).toEqual([2, 2])
  await reserved(task.id)
  expect(await waitHours(task)).toBeUndefined()
  const [row] = await database.sql`
    select credits_used, usage_entry.credits from task join usage_entry on task_id = task.id where task.id = ${task.id}`
  expect(row).toMatchObject({ credits_used: 7, credits: -7 })
})

test('the request is kept until the line and the ledger have both had their last word', async () => {
  const task = await recorded(0)
  await reserved(task.id)
  for (const [say, kept] of [
    [() => credits(task.id, 'reviewOpened'), true],
    [() => completed(task.id), true],
    [() => credits(task.id, 'creditsSettled'), false],
  ] as const) {
    await say()
    expect((await waitHours(task)) !== undefined).toBe(kept)
  }
  expect(await replayTask(deps(), { taskId: task.id, operator: 'ada' })).toEqual([])
})

test('what an earlier version ended without forgetting its request is forgotten instead of replayed', async () => {
  const task = await recorded(2)
  await database.sql`update task set phase = 'declined', phase_rank = 4 where id = ${task.id}`
  await replaySilent(deps(), silence)
  expect([requestsOf(task).length, await waitHours(task)]).toEqual([1, undefined])
})

test('an operator replays a task at once; one that is not there is refused', async () => {
  const task = await recorded(0)
  expect(await replayTask(deps(), { taskId: task.id, operator: 'ada' })).toEqual(['generationRequested'])
  expect(requestsOf(task)).toHaveLength(2)
  await expect(replayTask(deps(), { taskId: newTaskId(), operator: 'ada' })).rejects.toMatchObject({ reason: 'task_not_found' })
})

test('a key that is taken keeps no second request', async () => {
  const task = await recorded(0)
  const twin = { ...task, id: newTaskId(), eventId: uuidv7() }
  const recordRequest = createRecordRequest({ sql: database.sql, outbox, topicPrefix: 'test', replayAfterMs: hour })
  expect(await recordRequest({ task: twin, order: {} })).toMatchObject({ fresh: false, bound: { id: task.id } })
  expect(await waitHours(twin)).toBeUndefined()
})
