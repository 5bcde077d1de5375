import { expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { connectSimulator } from '../makers/simulator/connect-simulator'
import { simulatorKey } from '../testing/test-system'
import { planAttempt } from './plan-attempts'

test('absence proves nothing before the last byte that a sender may send could have become visible', () => {
  const bounds = { visibilityMs: 150_000, firstPollMs: 1_000, submitTimeoutMs: 30_000, readTimeoutMs: 1_000 }
  const connector = connectSimulator({ maker: 'simulator', url: 'http://127.0.0.1:1', key: simulatorKey, ...bounds })
  const source = { topic: 'credits' as const, bytes: new Uint8Array() }
  const planned = planAttempt(
    { newAttemptId: () => 'at_1', leaseMs: 12_000, submitTimeoutMs: 30_000 },
    { order: create(OrderSchema), media: [], source, traceparent: undefined },
    [{ connector, makerModel: 'alpha-h3' }],
    1,
  )
  // The submit starts 12 s after the attempt is inserted at the latest, sends for up to 30 s, and shows up to 150 s after that.
  expect(planned?.attempt.absenceAfterMs).toBe(192_000)
})
