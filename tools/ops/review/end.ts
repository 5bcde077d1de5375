import { listOf } from '@filmgate/proto/operator/answer'
import { BulkReviewEnd, BulkReviewPreview } from '@filmgate/proto/operator/review'
import { OpsFault } from '../fault'
import { type Call, callFor } from '../operator-api'

export type BulkInput = { provider: string; from: string; to: string; cause?: string; outcome: string; reason: string; dryRun?: boolean }
type Steps = { signal?: AbortSignal; progress?(words: string): void }

/** Ends all reviews that fit, or says what that would mean. The same command goes on with what an interrupted one left. */
export async function reviewEnd(call: Call, { reason, dryRun = false, ...input }: BulkInput, steps: Steps = {}) {
  const { provider, from, to, cause, outcome } = input
  const terms = { provider, from, to, outcome, ...(cause !== undefined && { cause }) }
  if (dryRun) return callFor(call, BulkReviewPreview, 'dispatcher', 'GET', `/bulk-review-ends/preview?${new URLSearchParams(terms)}`)
  const asked = await callFor(call, BulkReviewEnd, 'dispatcher', 'POST', '/bulk-review-ends', { ...terms, reason }).catch(error => {
    throw isNone(error) ? new OpsFault(noReviewFits(input), 404) : error
  })
  if (asked.state === 'awaiting_second')
    steps.progress?.(`${asked.reviews} reviews need a second operator, who approves with: ops review approve ${asked.id}`)
  return goOn(call, asked, steps)
}

/** Approves what another operator asked for, and ends those reviews. */
export const reviewApprove = async (call: Call, { id }: { id: string }, steps: Steps = {}) =>
  goOn(call, await callFor(call, BulkReviewEnd, 'dispatcher', 'POST', `/bulk-review-ends/${encodeURIComponent(id)}/approve`), steps)

/** What was ended by one command: what waits or runs first, then the newest. */
export const reviewEnds = async (call: Call) => (await callFor(call, listOf(BulkReviewEnd), 'dispatcher', 'GET', '/bulk-review-ends')).data

/** A batch a call, until none is left or Ctrl-C, after the batch under way. */
async function goOn(call: Call, asked: BulkReviewEnd, { signal, progress = () => {} }: Steps): Promise<BulkReviewEnd> {
  let bulk = asked
  while (bulk.state === 'running' && !signal?.aborted) {
    bulk = await callFor(call, BulkReviewEnd, 'dispatcher', 'POST', `/bulk-review-ends/${bulk.id}/next`)
    progress(`${bulk.ended} of ${bulk.reviews} ended`)
  }
  if (bulk.state === 'running') progress('Interrupted: what is ended stays ended. The same command goes on.')
  return bulk
}

const isNone = (error: unknown): boolean => error instanceof OpsFault && error.message.includes('no_reviews_fit')

const noReviewFits = ({ provider, from, to, outcome }: Omit<BulkInput, 'reason'>): string =>
  `No open review of ${provider} between ${from} and ${to} can be ended by ${outcome}; nothing was done. See: ops review list --provider ${provider}, and this command with --dry-run.`
