import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { claimJobs } from '@filmgate/kit/jobs/job-repository'
import { createOutbox } from '@filmgate/kit/outbox/outbox'
import { testDatabase, testLog } from '@filmgate/kit/testing'
import type { Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { encode, topics } from '@filmgate/proto/topics'
import { reject } from '../errors'
import { reserved, testOrder } from '../testing/orders'
import { findDecisions } from './decision-repository'
import { type VerifyPayload, verifyKind } from './jobs'
import { receive } from './receive'
import { recordRejected, recordVerified } from './record-decision'
import { restoreDecisions } from './restore-decisions'

const { sql, drop } = await testDatabase(join(import.meta.dir, '../../migrations'))
const published: Uint8Array[] = []
const publish = async (messages: { value: Uint8Array | null }[]) => void published.push(...messages.flatMap(({ value }) => value ?? []))
const outbox = createOutbox({ sql, bus: { publish }, log: testLog })
afterAll(async () => {
  await outbox.stop()
  await drop()
})

const wake = () => undefined
const deps = { sql, outbox, topicPrefix: 'test', wake, now: () => new Date() }
const rowsOf = async (...orders: Order[]) => {
  const ids = orders.map(({ taskId }) => taskId)
  const states = await sql`select task_id, state, object_keys from verification where task_id = any(${ids}) order by task_id`
  return { states: [...states], decisions: [...(await findDecisions(sql, ids))] }
}

async function claimed(order: Order) {
  await receive(deps, [reserved(order)])
  const job = (await claimJobs<VerifyPayload>(sql, verifyKind, 'test', 60_000, 100)).find(({ id }) => id === order.taskId)
  if (!job) throw new Error('the job was not claimed')
  return job
}

test('decisions that a restored database lost come back as they were published; its jobs decide nothing else, and told again they change nothing', async () => {
  const [verified, rejected] = [testOrder(), testOrder()]
  const media = verified.inputs.map(input => ({ input, objectKey: `inputs/${verified.taskId}/0`, mimeType: 'image/png' }))
  await recordVerified(deps, await claimed(verified), verified, media)
  await recordRejected(deps, await claimed(rejected), rejected, reject('generation_unavailable', { measured: '', limit: '' }))
  const before = await rowsOf(verified, rejected)
  expect(before.decisions).toHaveLength(2)
  const lost = [verified.taskId, rejected.taskId]
  for (const table of ['decision', 'verification']) await sql`delete from ${sql(table)} where task_id = any(${lost})`
  // The order came again before its decision: its admission is over.
  const job = await claimed(verified)
  expect(await restoreDecisions(sql, published)).toBe(2)
  expect(await rowsOf(verified, rejected)).toEqual(before)
  const late = reject('generation_unavailable', { measured: '', limit: '' })
  expect(await recordRejected(deps, job, verified, late)).toBe(false)
  expect(await restoreDecisions(sql, published)).toBe(0)
  expect(await rowsOf(verified, rejected)).toEqual(before)
})

test('bytes that are no message, or name what no row can have, are refused by their place, and nothing of the call is recorded', async () => {
  const order = testOrder()
  await recordRejected(deps, await claimed(order), order, reject('generation_unavailable', { measured: '', limit: '' }))
  const good = published.at(-1) ?? new Uint8Array()
  await sql`delete from decision where task_id = ${order.taskId}`
  await sql`delete from verification where task_id = ${order.taskId}`
  const strange = encode(topics.media.schema, { event: { case: 'mediaRejected', value: { taskId: 'a\0b', accountId: order.accountId } } })
  for (const bad of [new Uint8Array([0xc7, 0x1c]), strange])
    await expect(restoreDecisions(sql, [good, bad])).rejects.toMatchObject({
      options: { message: expect.stringContaining('events[1] is no decision about media') },
    })
  expect(await rowsOf(order)).toEqual({ states: [], decisions: [] })
  expect(await restoreDecisions(sql, [good])).toBe(1)
})
