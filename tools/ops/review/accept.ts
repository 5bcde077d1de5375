import type { Call } from '../operator-api'

/** `force`: the maker's task carries no id of ours where all of ours should, and is ours nevertheless. */
type Accept = { taskId: string; makerTaskId: string; reason: string; force?: boolean }

/** Ends a review: the maker did accept, under this id of its own; the pipeline goes on from there. */
export const reviewAccept = (call: Call, input: Accept) => {
  const { taskId, makerTaskId, reason, force } = input
  const body = { maker_task_id: makerTaskId, reason, ...(force && { force }) }
  return call('dispatcher', 'POST', `/reviews/${encodeURIComponent(taskId)}/accept`, body)
}
