import { type Static, Type } from '@sinclair/typebox'
import { added, nullable, number, numberOrNull, text, textOrNull, time, timeOrNull } from './answer'
import { Release } from './books'
import { Delivery } from './task'

/**
 * Money in whole millionths of a US dollar. `progress`: as its provider last told it, also once it has ended. `waiting_for`: what is
 * missing, why, and when the attempt is held for review at the latest.
 */
export const Attempt = Type.Object({
  ...{ id: text, task_id: text, account_id: text, number, model: text, provider: text, provider_model: text, provider_task_id: textOrNull },
  ...{ state: text, code: textOrNull, cause: textOrNull, traceparent: textOrNull },
  ...{ output_key: textOrNull, output_bytes: numberOrNull, output_sha256: textOrNull },
  ...{ poster: added(textOrNull), poster_url: added(textOrNull), delivery: added(nullable(Delivery)), credits: added(numberOrNull) },
  ...{ due_credits: added(numberOrNull), cost_micro_usd: added(numberOrNull), cost_basis: added(text) },
  progress: added(nullable(Type.Object({ phase: textOrNull, queue_position: numberOrNull, percent: numberOrNull, told_at: time }))),
  waiting_for: added(nullable(Type.Object({ what: text, cause: textOrNull, until: time }))),
  ...{ created_at: time, accepted_at: timeOrNull, review_since: timeOrNull, ended_at: timeOrNull },
})
export type Attempt = Static<typeof Attempt>

/** An attempt that a provider knows by the id that was asked for. */
export const ProviderAttempt = Type.Object({
  ...{ id: text, task_id: text, account_id: text, provider: text, provider_task_id: text, state: text, created_at: time },
})
export type ProviderAttempt = Static<typeof ProviderAttempt>

export const ReviewDecision = Type.Object({
  ...{ attempt_id: text, decision: text, provider_task_id: textOrNull, reason: text, by: textOrNull, decided_at: time },
  /** The bulk end that it is a part of. */
  bulk_id: added(textOrNull),
})
export type ReviewDecision = Static<typeof ReviewDecision>

export const DispatcherTask = Type.Object({
  ...{ attempts: Type.Array(Attempt), review_decisions: Type.Array(ReviewDecision), release: nullable(Release) },
})
export type DispatcherTask = Static<typeof DispatcherTask>
