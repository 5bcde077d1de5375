import { fromBinary, toBinary } from '@bufbuild/protobuf'
import type { Job, NewJob } from '@filmgate/kit/jobs/job-repository'
import { type Order, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'

export const verifyKind = 'verify'

/** `order`: the received protobuf message. `ownFaults`: runs that ended by our own faults. */
export type VerifyPayload = { order: string; traceparent?: string; ownFaults?: number }
export type VerifyJob = Job<VerifyPayload>

export const verifyJob = (order: Order, traceparent: string | undefined): NewJob => ({
  kind: verifyKind,
  id: order.taskId,
  fairnessKey: order.accountId,
  payload: { order: Buffer.from(toBinary(OrderSchema, order)).toString('base64'), ...(traceparent && { traceparent }) },
})

export const orderOf = (job: VerifyJob): Order => fromBinary(OrderSchema, Buffer.from(job.payload.order, 'base64'))

export const deleteKind = 'delete-inputs'

export const deleteJob = (taskId: string, runAfterMs: number): NewJob => ({ kind: deleteKind, id: taskId, runAfterMs })
