import type { Call } from '../operator-api'

/** `force`: the provider's task carries no id of ours where all of ours should, and is ours nevertheless. */
type Accept = { taskId: string; providerTaskId: string; reason: string; force?: boolean }

/** Ends a review: the provider did accept, under this id of its own; the pipeline goes on from there. */
export const reviewAccept = (call: Call, input: Accept) => {
  const { taskId, providerTaskId, reason, force } = input
  const body = { provider_task_id: providerTaskId, reason, ...(force && { force }) }
  return call('dispatcher', 'POST', `/reviews/${encodeURIComponent(taskId)}/accept`, body)
}
