import type { CostSums } from '@filmgate/proto/operator/provider'

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
