import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { fromBinary } from '@bufbuild/protobuf'
import { claimJobs } from '@filmgate/kit/jobs/job-repository'
import { createOutbox, type Outbox } from '@filmgate/kit/outbox/outbox'
import { type TestDatabase, testDatabase, testLog } from '@filmgate/kit/testing'
import { type MediaEvent, MediaEventSchema } from '@filmgate/proto/gen/filmgate/v1/media_pb'
import type { Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { taskIdAt } from '@filmgate/proto/task-id'
import { reject } from '../errors'
import { reserved, testOrder } from '../testing/orders'
import { deleteDecisions, findDecisions } from './decision-repository'
import { deleteKind, orderOf, type VerifyJob, type VerifyPayload, verifyKind } from './jobs'
import { receive } from './receive'
import { recordRejected, recordVerified } from './record-decision'
import { replaySince } from './replay'

let database: TestDatabase
let outbox: Outbox
const published: MediaEvent[] = []
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
  const publish = async (messages: { value: Uint8Array | null }[]) =>
    void published.push(...messages.map(({ value }) => fromBinary(MediaEventSchema, value ?? new Uint8Array())))
  outbox = createOutbox({ sql: database.sql, bus: { publish }, log: testLog })
})
afterAll(async () => {
  await outbox.stop()
  await database.drop()
})

const wake = () => undefined
const receiving = () => ({ sql: database.sql, outbox, topicPrefix: 'test', wake })
const deciding = () => ({ outbox, topicPrefix: 'test', now: () => new Date() })
const state = async ({ taskId }: Order) => (await database.sql`select state, object_keys from verification where task_id = ${taskId}`)[0]
const jobsOf = async ({ taskId }: Order, kind: string) => [
  ...(await database.sql<{ due: boolean }[]>`select run_at <= now() as due from job where id = ${taskId} and kind = ${kind}`),
]

/** Receives an order and claims its job, as a worker does. */
async function claimed(order: Order): Promise<VerifyJob> {
  await receive(receiving(), [reserved(order)])
  const jobs = await claimJobs<VerifyPayload>(database.sql, verifyKind, 'test', 60_000, 100)
  const job = jobs.find(({ id }) => id === order.taskId)
  if (!job) throw new Error('the job was not claimed')
  return job
}

test('a duplicate order, in the same batch or later, is one job; an order without media is none', async () => {
  const [order, bare] = [testOrder(), testOrder({ inputs: [] })]
  await receive(receiving(), [reserved(order), reserved(order), reserved(bare)])
  await receive(receiving(), [reserved(order)])
  expect([(await jobsOf(order, verifyKind)).length, (await jobsOf(bare, verifyKind)).length]).toEqual([1, 0])
})

test('a job contains the complete order', async () => {
  const order = testOrder({ prompt: 'ä boat', seed: 42n })
  expect(orderOf(await claimed(order))).toEqual(order)
})

test('a verified order is published with its copies; a duplicate publishes the same decision without verifying again', async () => {
  const order = testOrder()
  const job = await claimed(order)
  const media = [{ objectKey: 'inputs/x/1-0.png', format: 'png' }]
  expect(await recordVerified(deciding(), job, order, media)).toBe(true)
  expect(await recordVerified(deciding(), job, order, media)).toBe(false)
  await receive(receiving(), [reserved(order)])
  expect(await state(order)).toEqual({ state: 'verified', object_keys: ['inputs/x/1-0.png'] })
  expect(await jobsOf(order, verifyKind)).toHaveLength(0)
  const handedOn = published.filter(({ event }) => event.case === 'mediaVerified' && event.value.order?.taskId === order.taskId)
  expect(handedOn).toHaveLength(2)
  expect(handedOn[1]).toEqual(handedOn[0] as MediaEvent)
})

test('a duplicate of a rejected order publishes the same rejection, even after its copies are deleted', async () => {
  const order = testOrder()
  const failure = reject('media_too_large', { measured: '60 MB', limit: '50 MB' })
  await recordRejected(deciding(), await claimed(order), order, failure, order.inputs[0])
  await database.sql`update verification set state = 'deleted' where task_id = ${order.taskId}`
  await receive(receiving(), [reserved(order), reserved(order)])
  const rejections = published.filter(({ event }) => event.case === 'mediaRejected' && event.value.taskId === order.taskId)
  expect(rejections).toHaveLength(2)
  expect(rejections[1]).toEqual(rejections[0] as MediaEvent)
})

test('a duplicate of an undecided order publishes nothing', async () => {
  const order = testOrder()
  await claimed(order)
  const before = published.length
  await receive(receiving(), [reserved(order)])
  expect(published.slice(before)).toEqual([])
})

test('a decision is kept while copies exist, and for some days', async () => {
  const [held, gone, young] = [testOrder(), testOrder(), testOrder()]
  for (const order of [held, gone, young]) await recordVerified(deciding(), await claimed(order), order, [])
  const taskIds = [held, gone, young].map(({ taskId }) => taskId)
  await database.sql`update decision set decided_at = now() - interval '4 days' where task_id = any(${taskIds.slice(0, 2)})`
  await database.sql`update verification set state = 'deleted' where task_id = any(${taskIds.slice(1)})`
  await deleteDecisions(database.sql, 3, 100)
  const kept = await findDecisions(database.sql, taskIds)
  expect(kept.map(({ taskId }) => taskId).toSorted()).toEqual([held.taskId, young.taskId].toSorted())
})

test('a run that lost its lease records no decision', async () => {
  const order = testOrder()
  const stale = await claimed(order)
  await database.sql`update job set epoch = epoch + 1 where id = ${order.taskId}`
  expect(await recordVerified(deciding(), stale, order, [])).toBe(false)
  expect(await state(order)).toMatchObject({ state: 'waiting' })
})

test('a rejection names URL, measured value and limit, and the copies are deleted at once', async () => {
  const order = testOrder()
  const failure = reject('media_dimensions', { measured: '100 × 100 px', limit: '256–5760 px' })
  await recordRejected(deciding(), await claimed(order), order, failure, order.inputs[0])
  const event = published.map(({ event }) => event).find(one => one.case === 'mediaRejected' && one.value.taskId === order.taskId)
  expect(event?.value).toMatchObject({
    code: 'media_dimensions',
    message: 'The width, height or ratio is outside the limits: image_url measured 100 × 100 px, allowed 256–5760 px.',
    field: 'image_url',
    urlIndex: 0,
    measured: '100 × 100 px',
    limit: '256–5760 px',
  })
  expect(await jobsOf(order, deleteKind)).toEqual([{ due: true }])
})

test('what was decided since a moment is published again, and nothing older', async () => {
  const id = () => taskIdAt(new Date()).slice(0, -6) + crypto.randomUUID().slice(0, 6)
  const [old, fresh] = [testOrder({ taskId: id() }), testOrder({ taskId: id() })]
  for (const order of [old, fresh])
    await recordVerified(deciding(), await claimed(order), order, [{ objectKey: `inputs/${order.taskId}.png`, format: 'png' }])
  await database.sql`update decision set decided_at = now() - interval '2 hours' where task_id = ${old.taskId}`
  const before = published.length
  await replaySince({ ...deciding(), sql: database.sql }, { since: new Date(Date.now() - 3_600_000), after: '' })
  const again = published.slice(before).flatMap(({ event }) => (event.case === 'mediaVerified' ? [event.value.order?.taskId] : []))
  expect(again).toContain(fresh.taskId)
  expect(again).not.toContain(old.taskId)
})
