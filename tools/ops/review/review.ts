import { EndedReview, OpenReviews, type ReviewRow } from '@filmgate/proto/operator/review'
import { type Call, callFor } from '../operator-api'

export type ReviewFilter = { provider?: string; since?: string; until?: string; cause?: string }

/** Attempts that are held for review, oldest first; where the list ends before the last, `progress` says so. */
export async function reviewList(call: Call, filter: ReviewFilter, progress: (words: string) => void = () => {}): Promise<ReviewRow[]> {
  const { provider, since, until, cause } = filter
  const query = new URLSearchParams({
    ...(provider && { provider }),
    ...(since && { from: since }),
    ...(until && { to: until }),
    ...(cause && { cause }),
  })
  const { data, total = data.length } = await callFor(
    call,
    OpenReviews,
    'dispatcher',
    'GET',
    query.size > 0 ? `/reviews?${query}` : '/reviews',
  )
  if (total > data.length)
    progress(`${total} reviews are open; these are the oldest ${data.length}. Narrow the list, or end them together: ops review end`)
  return data
}

/** `force`: the provider's task carries no id of ours where all of ours should, and is ours nevertheless. */
type Accept = { taskId: string; providerTaskId: string; reason: string; force?: boolean }

/** Ends a review: the provider did accept, under this id of its own; the pipeline goes on from there. */
export const reviewAccept = (call: Call, input: Accept) => {
  const { taskId, providerTaskId, reason, force } = input
  const body = { provider_task_id: providerTaskId, reason, ...(force && { force }) }
  return callFor(call, EndedReview, 'dispatcher', 'POST', `/reviews/${encodeURIComponent(taskId)}/accept`, body)
}

/** Has what a review waits for tried again now: the look-up, the poll, or the copy of its output. The review ends by what that finds. */
export const reviewRetry = (call: Call, { taskId, reason }: { taskId: string; reason: string }) =>
  callFor(call, EndedReview, 'dispatcher', 'POST', `/reviews/${encodeURIComponent(taskId)}/retry`, { reason })

/** Ends a review: the provider never made it; the client gets its credits back. */
export const reviewRefund = (call: Call, input: { taskId: string; reason: string }) =>
  callFor(call, EndedReview, 'dispatcher', 'POST', `/reviews/${encodeURIComponent(input.taskId)}/refund`, { reason: input.reason })
