import { type Static, Type } from '@sinclair/typebox'
import { added, number, numberOrNull, text, textOrNull, time, timeOrNull } from './answer'

/** `provider_task_id`: the attempt's own, or the one that a verified callback told. */
export const ReviewRow = Type.Object({
  ...{ task_id: text, account_id: text, attempt_id: text, provider: text, model: added(text), credits: added(numberOrNull) },
  ...{ provider_task_id: added(textOrNull), state: text, cause: textOrNull, review_since: time },
})
export type ReviewRow = Static<typeof ReviewRow>

/** Oldest first. `total`: how many fit, of which the list may hold the oldest alone. */
export const OpenReviews = Type.Object({ data: Type.Array(ReviewRow), total: added(number) })
export type OpenReviews = Static<typeof OpenReviews>

export const EndedReview = Type.Object({ task_id: text, decision: text })
export type EndedReview = Static<typeof EndedReview>

/** Reviews that were opened from then on and before that. `cause`: only those whose cause has these words. */
const terms = { provider: text, from: time, to: time, cause: textOrNull, outcome: text }

/** What ending these reviews together would mean. `left_out`: to be accepted without a known id of the provider's. */
export const BulkReviewPreview = Type.Object({
  ...{ ...terms, reviews: number, credits: number, left_out: number, needs_second: Type.Boolean(), limit: number },
  models: Type.Array(
    Type.Object({
      ...{ model: text, state: text, reviews: number, credits: number, credits_unknown: number },
      ...{ oldest: timeOrNull, newest: timeOrNull, left_out: number },
    }),
  ),
})
export type BulkReviewPreview = Static<typeof BulkReviewPreview>

/** `reviews`, `credits` and `left_out` as counted when it was asked for; `ended`: how many are, so far. */
export const BulkReviewEnd = Type.Object({
  ...{ id: text, ...terms, reason: text, reviews: number, credits: number, left_out: number, ended: number },
  state: Type.Union([Type.Literal('awaiting_second'), Type.Literal('running'), Type.Literal('done')]),
  ...{ asked_by: text, asked_at: time, approved_by: textOrNull, approved_at: timeOrNull, ended_at: timeOrNull },
})
export type BulkReviewEnd = Static<typeof BulkReviewEnd>
