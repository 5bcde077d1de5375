import { type Static, Type } from '@sinclair/typebox'
import { added, listOf, nullable, number, numberOrNull, text, textOrNull, time, timeOrNull } from './answer'

/** For that time what the provider does not know of counts as absent. */
export const Closing = Type.Object({
  ...{ provider: text, reason: text, by: textOrNull, closed_at: time, closed_until: time, in_force: Type.Boolean() },
})
export type Closing = Static<typeof Closing>

/**
 * New orders are kept from the provider, or from one model of it. `cause`: paused, unanswered, key_refused or no_balance.
 * `probe_at`: from then on one order may try it; null for a pause.
 */
export const Hold = Type.Object({
  ...{ provider: text, model: textOrNull, cause: text, reason: text, by: textOrNull, started_at: time },
  ...{ probe_at: timeOrNull, probes: number },
})
export type Hold = Static<typeof Hold>

/**
 * `breaker` is open where calls in a row got no answer: one attempt at a time is asked about. `waiting_ms`: until the
 * next turn to ask is free. `rate_limited_until`: the provider answered 429, or Retry-After.
 */
const Pace = Type.Object({
  ...{ breaker: text, unanswered_calls: number, held_until: timeOrNull, waiting_ms: number },
  rate_limited_until: added(timeOrNull),
})

/**
 * One that is off has its name alone. `key`: whether it takes ours. `absences`: whether what it does not know of ends
 * anything, `health` why. `capabilities`: what heals and what ends an attempt there.
 */
export const Provider = Type.Composite([
  Type.Object({ provider: text, on: Type.Boolean() }),
  Type.Partial(
    Type.Object({
      ...{ key: text, absences: text, health: text, running: number, missing: number },
      ...{ asking: nullable(Pace), closing: nullable(Closing), holds: Type.Array(Hold) },
      models: Type.Array(Type.Object({ model: text, lacks: Type.Array(text) })),
      capabilities: Type.Record(text, Type.Unknown()),
    }),
  ),
])
export type Provider = Static<typeof Provider>

/** Sums over the attempts of one model at one provider; money in whole millionths of a US dollar. */
export const CostSums = Type.Object({
  ...{ provider: text, model: text, attempts: number, open: number, completed: number, unknown: number },
  ...{ credits: number, unknown_credits: number },
  ...{ told_micro_usd: number, listed_micro_usd: number, lost_micro_usd: number },
})
export type CostSums = Static<typeof CostSums>
/** `credit_micro_usd`: what a credit is worth by the price book in force. */
export const Costs = Type.Object({ credit_micro_usd: number, data: Type.Array(CostSums) })
export type Costs = Static<typeof Costs>

/** `micro_usd` is null where `basis` is `unknown`: that is not 0. */
export const AttemptCost = Type.Object({
  ...{ attempt_id: text, task_id: text, model: text, provider_model: textOrNull, provider_task_id: textOrNull },
  ...{ state: text, created_at: time, credits: numberOrNull, micro_usd: numberOrNull },
  basis: Type.Union([Type.Literal('told'), Type.Literal('listed'), Type.Literal('nothing'), Type.Literal('unknown')]),
})
export type AttemptCost = Static<typeof AttemptCost>

/** `margin` is that of what is known: what came in for those attempts less what they cost. `unknown` ones are in neither, and `open` ones in nothing else. */
export type Earnings = CostSums & {
  revenue_micro_usd: number
  cost_micro_usd: number
  margin_micro_usd: number
  /** Of the revenue, to a tenth; null where there is none. */
  margin_percent: number | null
}

const nothing: CostSums = {
  ...{ provider: '', model: '', attempts: 0, open: 0, completed: 0, unknown: 0, credits: 0, unknown_credits: 0 },
  ...{ told_micro_usd: 0, listed_micro_usd: 0, lost_micro_usd: 0 },
}

export function addSums(before: CostSums | undefined, one: CostSums): CostSums {
  if (!before) return one
  const sum = (name: Exclude<keyof CostSums, 'provider' | 'model'>) => before[name] + one[name]
  return {
    ...{ provider: one.provider, model: one.model, attempts: sum('attempts'), open: sum('open'), completed: sum('completed') },
    ...{ unknown: sum('unknown'), credits: sum('credits'), unknown_credits: sum('unknown_credits') },
    ...{ told_micro_usd: sum('told_micro_usd'), listed_micro_usd: sum('listed_micro_usd'), lost_micro_usd: sum('lost_micro_usd') },
  }
}

export function earningsOf(sums: CostSums, creditMicroUsd: number): Earnings {
  const revenue = sums.credits * creditMicroUsd
  const cost = sums.told_micro_usd + sums.listed_micro_usd
  const margin = revenue - cost
  const percent = revenue > 0 ? Math.round((margin / revenue) * 1_000) / 10 : null
  return { ...sums, revenue_micro_usd: revenue, cost_micro_usd: cost, margin_micro_usd: margin, margin_percent: percent }
}

/** Of all rows; its provider is `total`. */
export const totalEarnings = (sums: readonly CostSums[], creditMicroUsd: number): Earnings =>
  earningsOf({ ...sums.reduce(addSums, nothing), provider: 'total', model: '' }, creditMicroUsd)

/**
 * A model at a resolution and a provider; `mode` to `video_seconds` say what leaves the least. Money in whole millionths of a
 * US dollar.
 */
export const MarginRow = Type.Object({
  ...{ model: text, resolution: text, provider: text, mode: text, audio: nullable(Type.Boolean()) },
  ...{ seconds: number, images: number, video_seconds: number, price_micro_usd: number },
  /** Null exactly where `basis` is `unknown` or `unnamed`. The percentage is of the price, to a tenth. */
  ...{ cost_micro_usd: numberOrNull, margin_micro_usd: numberOrNull, margin_percent: numberOrNull, basis: text },
  /** Why the cost is not known, or why it may be above the price. */
  ...{ reason: textOrNull, source: textOrNull, as_of: textOrNull },
  /** Modes with a sound, of this resolution at this provider; and those of them whose cost is not known. */
  ...{ cases: number, cases_unknown: number },
})
export type MarginRow = Static<typeof MarginRow>
export const Margins = Type.Object({ credit_micro_usd: number, data: Type.Array(MarginRow) })
export type Margins = Static<typeof Margins>

/** Attempts that ended without a video; `code`: as their task says it. */
export const Failures = Type.Object({ state: text, code: textOrNull, attempts: number })
export type Failures = Static<typeof Failures>

/**
 * The attempts at one model and provider. `provider` is null where an order was refused without asking one. `open`: not ended.
 * Seconds from the order to its stored video: the median and the 95th percentile of those completed; null without one.
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
