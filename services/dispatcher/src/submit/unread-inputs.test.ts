import { expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { createObjectStore } from '@filmgate/kit/object-store'
import { servers, testBucket } from '@filmgate/kit/testing'
import { type VerifiedMedia, VerifiedMediaSchema } from '@filmgate/proto/gen/filmgate/v1/media_pb'
import { OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { ReadyOrder } from '../attempt/order'
import { lookAtInputs, nextAttemptAfterMs, untilInputsRead } from './unread-inputs'

const { store } = await testBucket()
await store.put('a.png', Buffer.from('a picture'), { contentType: 'image/png' })
const silent = createObjectStore({ ...servers.s3, endpoint: 'http://127.0.0.1:1', bucket: 'inputs' })
const media = (...keys: string[]): VerifiedMedia[] => keys.map(objectKey => create(VerifiedMediaSchema, { objectKey }))
const ready = (leftMs: number, ...keys: string[]): ReadyOrder => ({
  order: create(OrderSchema, { admitBy: timestampFromMs(Date.now() + leftMs) }),
  media: media(...keys),
  source: { topic: 'media', bytes: new Uint8Array() },
  traceparent: undefined,
})
const now = () => new Date()
const never = new AbortController().signal
/** Left of an admission for telling its client. */
const tellMs = 5_000

test('our store shows the copies, lacks one, or says nothing', async () => {
  expect(await lookAtInputs(store, media('a.png'))).toBe('readable')
  expect(await lookAtInputs(store, media('a.png', 'b.png'))).toBe('gone')
  expect(await lookAtInputs(silent, media('a.png'))).toBe('silent')
})

test('another attempt is made once the copies can be read, after a pause that grows', async () => {
  const beganMs = performance.now()
  expect(await untilInputsRead({ inputs: store, now }, ready(60_000, 'a.png'), 0, never)).toBe(true)
  expect(performance.now() - beganMs).toBeGreaterThanOrEqual(nextAttemptAfterMs(0) - 10)
  expect([1, 2, 3, 4, 5].map(nextAttemptAfterMs)).toEqual([2_000, 4_000, 8_000, 15_000, 15_000])
})

test('none is made of copies that are gone, nor once the client has to be told', async () => {
  expect(await untilInputsRead({ inputs: store, now }, ready(60_000, 'b.png'), 0, never)).toBe(false)
  const beganMs = performance.now()
  expect(await untilInputsRead({ inputs: silent, now }, ready(tellMs + 1_500, 'a.png'), 0, never)).toBe(false)
  expect(performance.now() - beganMs).toBeGreaterThanOrEqual(1_400)
})

test('a process that stops leaves the wait at once', async () => {
  const stopping = new AbortController()
  const waiting = untilInputsRead({ inputs: silent, now }, ready(60_000, 'a.png'), 4, stopping.signal)
  stopping.abort()
  expect(await waiting).toBe(false)
})
