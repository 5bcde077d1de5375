import type { Call } from '../operator-api'

/** Ends a review: the maker did accept, under this id of its own; the pipeline goes on from there. */
export const reviewAccept = (call: Call, input: { taskId: string; makerTaskId: string; reason: string }) => {
  const { taskId, makerTaskId, reason } = input
  return call('dispatcher', 'POST', `/reviews/${encodeURIComponent(taskId)}/accept`, { maker_task_id: makerTaskId, reason })
}
