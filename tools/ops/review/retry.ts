import type { Call } from '../operator-api'

/** Has what a review waits for tried again now: the look-up, the poll, or the copy of its output. The review ends by what that finds. */
export const reviewRetry = (call: Call, { taskId, reason }: { taskId: string; reason: string }) =>
  call('dispatcher', 'POST', `/reviews/${encodeURIComponent(taskId)}/retry`, { reason })
