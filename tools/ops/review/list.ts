import { OpenReviews, type ReviewRow } from '@filmgate/proto/operator/review'
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
