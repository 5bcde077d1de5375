import { type Static, Type } from '@sinclair/typebox'
import { listOf, number, numberOrNull, text, textOrNull, time, timeOrNull } from './answer'
import { Hold } from './provider'

/** Attempts that ended without a video; `code`: as their task says it. */
export const Failures = Type.Object({ state: text, code: textOrNull, attempts: number })
export type Failures = Static<typeof Failures>

/**
 * The attempts at one model and provider. `provider` is null where an order was refused without asking one. `open`: not ended.
 * Seconds from the order to its stored video, by the middle and the slowest twentieth of those completed; null without one.
 */
export const Outcome = Type.Object({
  ...{ provider: textOrNull, model: text, attempts: number, open: number, completed: number },
  ...{ seconds_p50: numberOrNull, seconds_p95: numberOrNull, failures: Type.Array(Failures) },
})
export type Outcome = Static<typeof Outcome>

/** `holds`: those in force now. */
export const Outcomes = Type.Object({ data: Type.Array(Outcome), holds: Type.Array(Hold) })
export type Outcomes = Static<typeof Outcomes>

export const OutcomeAttempt = Type.Object({
  ...{ id: text, task_id: text, account_id: text, provider: textOrNull, model: text },
  ...{ state: text, code: textOrNull, cause: textOrNull, created_at: time, ended_at: timeOrNull },
})
export type OutcomeAttempt = Static<typeof OutcomeAttempt>
export const OutcomeAttempts = listOf(OutcomeAttempt)
