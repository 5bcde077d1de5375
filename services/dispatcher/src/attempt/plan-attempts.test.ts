import { expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { VerifiedMediaSchema } from '@filmgate/proto/gen/filmgate/v1/media_pb'
import { OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { connectSimulator } from '../providers/simulator/connect-simulator'
import { simulatorKey } from '../testing/test-system'
import type { ReadyOrder } from './order'
import { planAttempt } from './plan-attempts'

const deps = { attemptSecret: 'a secret', leaseMs: 12_000, uploadTimeoutMs: 60_000, submitTimeoutMs: 30_000 }
const bounds = { visibilityMs: 150_000, firstPollMs: 1_000, submitTimeoutMs: 30_000, readTimeoutMs: 1_000 }
const connector = connectSimulator({ provider: 'simulator', url: 'http://127.0.0.1:1', key: simulatorKey, ...bounds })
const mapping = { fields: {}, always: {} }
const source = { topic: 'credits' as const, bytes: new Uint8Array() }
const ready: ReadyOrder = { order: create(OrderSchema), media: [], source, traceparent: undefined }

test('absence proves nothing before the last byte that a sender may send could have become visible', () => {
  const planned = planAttempt(deps, ready, [{ connector, providerModel: 'alpha-h3', mapping }], 1)
  // The submit starts 12 s after the attempt is inserted at the latest, sends for up to 30 s, and shows up to 150 s after that.
  expect(planned?.attempt.absenceAfterMs).toBe(192_000)
})

test('inputs that are uploaded first put the submit, and what absence proves, off by as long as they may take', () => {
  const uploading = { ...connector, uploadInputs: async () => ({ outcome: 'uploaded' as const, media: [] }) }
  const plannedWith = (media: ReadyOrder['media']) =>
    planAttempt(deps, { ...ready, media }, [{ connector: uploading, providerModel: 'alpha-h3', mapping }], 1)?.attempt
  expect(plannedWith([create(VerifiedMediaSchema)])).toMatchObject({ uploads: true, absenceAfterMs: 252_000 })
  expect(plannedWith([])).toMatchObject({ uploads: false, absenceAfterMs: 192_000 })
})
