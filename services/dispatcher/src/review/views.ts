import type * as answers from '@filmgate/proto/operator/attempt'
import type { Release } from '@filmgate/proto/operator/books'
import type { ReviewRow } from '@filmgate/proto/operator/review'
import type { Delivery } from '../delivery/price-delivery'
import type { Poster } from '../output/find-posters'
import type { ReleaseRow } from '../recovery/release-repository'
import type { OpenReview, ProviderAttempt, ReviewDecision, ShownAttempt } from './review-repository'

/** What operators read; provider ids and causes are for them alone. */
export const attemptView = (attempt: ShownAttempt, poster: Poster | undefined, outputReviewAfterMs: number): answers.Attempt => ({
  id: attempt.id,
  task_id: attempt.taskId,
  account_id: attempt.accountId,
  number: attempt.number,
  model: attempt.model,
  provider: attempt.provider,
  provider_model: attempt.providerModel,
  provider_task_id: attempt.providerTaskId,
  state: attempt.state,
  code: attempt.code,
  cause: attempt.cause,
  traceparent: attempt.traceparent,
  output_key: attempt.outputKey,
  output_bytes: attempt.outputBytes,
  output_sha256: attempt.outputSha256,
  poster: poster?.poster ?? null,
  poster_url: poster?.url ?? null,
  delivery: attempt.delivery && deliveryView(attempt.delivery),
  credits: attempt.credits,
  due_credits: attempt.dueCredits,
  cost_micro_usd: attempt.costMicroUsd,
  cost_basis: attempt.basis,
  progress: attempt.progressAt && progressView(attempt, attempt.progressAt),
  waiting_for: waitingView(attempt, outputReviewAfterMs),
  created_at: attempt.createdAt.toISOString(),
  accepted_at: attempt.acceptedAt?.toISOString() ?? null,
  review_since: attempt.reviewSince?.toISOString() ?? null,
  ended_at: attempt.endedAt?.toISOString() ?? null,
})

/** What an attempt waits for before it is held for review; null in review, and where nothing is amiss. */
function waitingView(
  { state, reviewSince, waiting, unclearSince }: ShownAttempt,
  outputReviewAfterMs: number,
): answers.Attempt['waiting_for'] {
  if (reviewSince !== null) return null
  if (state === 'copying' && waiting)
    return { what: 'video file at the provider', cause: waiting.cause, until: new Date(waiting.untilMs).toISOString() }
  if (state !== 'accepted' || unclearSince === null) return null
  const until = new Date(unclearSince.getTime() + outputReviewAfterMs).toISOString()
  return { what: 'status of the provider that we know', cause: null, until }
}

const deliveryView = ({ durationMs, width, height, frameRate, videoCodec, hasAudio, shortfalls }: Delivery) => ({
  duration_ms: durationMs,
  width,
  height,
  frame_rate: frameRate,
  video_codec: videoCodec,
  has_audio: hasAudio,
  shortfalls,
})

/** As its provider last told it, also once it has ended. */
const progressView = ({ phase, queuePosition, percent }: ShownAttempt, at: Date) => ({
  phase,
  queue_position: queuePosition,
  percent,
  told_at: at.toISOString(),
})

export const providerAttemptView = ({
  id,
  taskId,
  accountId,
  provider,
  providerTaskId,
  state,
  createdAt,
}: ProviderAttempt): answers.ProviderAttempt => ({
  ...{ id, task_id: taskId, account_id: accountId, provider, provider_task_id: providerTaskId, state, created_at: createdAt.toISOString() },
})

export const decisionView = (decision: ReviewDecision & { decidedAt: Date }): answers.ReviewDecision => ({
  attempt_id: decision.attemptId,
  decision: decision.decision,
  provider_task_id: decision.providerTaskId,
  reason: decision.reason,
  by: decision.by,
  bulk_id: decision.bulkId === null ? null : String(decision.bulkId),
  decided_at: decision.decidedAt.toISOString(),
})

export const releaseView = ({ reason, by, releasedAt }: ReleaseRow): Release => ({ reason, by, released_at: releasedAt.toISOString() })

export const reviewView = (review: OpenReview): ReviewRow => ({
  task_id: review.taskId,
  account_id: review.accountId,
  attempt_id: review.attemptId,
  provider: review.provider,
  model: review.model,
  credits: review.credits,
  provider_task_id: review.knownId,
  state: review.state,
  cause: review.cause,
  review_since: review.reviewSince.toISOString(),
})
