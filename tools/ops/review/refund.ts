import type { Call } from '../operator-api'

/** Ends a review: the provider never made it; the client gets its credits back. */
export const reviewRefund = (call: Call, input: { taskId: string; reason: string }) =>
  call('dispatcher', 'POST', `/reviews/${encodeURIComponent(input.taskId)}/refund`, { reason: input.reason })
