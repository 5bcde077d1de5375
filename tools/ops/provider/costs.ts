import type { Call } from '../operator-api'
import { eachPortion } from './portions'

/** What the dispatcher sums for one model at one provider; money in millionths of a US dollar. */
export type CostSums = {
  provider: string
  model: string
  attempts: number
  open: number
  completed: number
  unknown: number
  credits: number
  unknown_credits: number
  told_micro_usd: number
  listed_micro_usd: number
  lost_micro_usd: number
}

/** `margin` is that of what is known: what came in for those attempts less what they cost. `unknown` ones are in neither, and `open` ones in nothing else. */
export type CostRow = CostSums & {
  revenue_micro_usd: number
  cost_micro_usd: number
  margin_micro_usd: number
  /** Of the revenue, to a tenth; null where there is none. */
  margin_percent: number | null
}

export type CostsInput = { from: string; to: string; provider?: string | undefined }
/** `credit_micro_usd`: what a credit is worth by the price book in force. */
type Told = { credit_micro_usd: number; data: CostSums[] }
export type Costs = { from: string; to: string; credit_micro_usd: number; data: CostRow[]; total: CostRow }

/** What attempts made in that time cost and brought, by provider and model, dearest first. */
export async function providerCosts(call: Call, { from, to, provider }: CostsInput): Promise<Costs> {
  const sums = new Map<string, CostSums>()
  let creditMicroUsd = 0
  for (const { from: begin, to: end } of eachPortion(from, to)) {
    const query = new URLSearchParams({ from: begin, to: end, ...(provider !== undefined && { provider }) })
    const { data, credit_micro_usd: worth } = (await call('dispatcher', 'GET', `/costs?${query}`)) as Told
    creditMicroUsd = worth
    for (const one of data) {
      const key = `${one.provider} ${one.model}`
      sums.set(key, added(sums.get(key), one))
    }
  }
  const rows = [...sums.values()].map(one => rowOf(one, creditMicroUsd)).toSorted((a, b) => b.cost_micro_usd - a.cost_micro_usd)
  const all = [...sums.values()].reduce<CostSums | undefined>((total, one) => added(total, one), undefined)
  return {
    from,
    to,
    credit_micro_usd: creditMicroUsd,
    data: rows,
    total: rowOf({ ...(all ?? nothing), provider: 'total', model: '' }, creditMicroUsd),
  }
}

const nothing: CostSums = {
  ...{ provider: '', model: '', attempts: 0, open: 0, completed: 0, unknown: 0, credits: 0, unknown_credits: 0 },
  ...{ told_micro_usd: 0, listed_micro_usd: 0, lost_micro_usd: 0 },
}

function added(before: CostSums | undefined, one: CostSums): CostSums {
  if (!before) return one
  const sum = (name: Exclude<keyof CostSums, 'provider' | 'model'>) => before[name] + one[name]
  return {
    ...{ provider: one.provider, model: one.model, attempts: sum('attempts'), open: sum('open'), completed: sum('completed') },
    ...{ unknown: sum('unknown'), credits: sum('credits'), unknown_credits: sum('unknown_credits') },
    ...{ told_micro_usd: sum('told_micro_usd'), listed_micro_usd: sum('listed_micro_usd'), lost_micro_usd: sum('lost_micro_usd') },
  }
}

function rowOf(sums: CostSums, creditMicroUsd: number): CostRow {
  const revenue = sums.credits * creditMicroUsd
  const cost = sums.told_micro_usd + sums.listed_micro_usd
  const margin = revenue - cost
  const percent = revenue > 0 ? Math.round((margin / revenue) * 1_000) / 10 : null
  return { ...sums, revenue_micro_usd: revenue, cost_micro_usd: cost, margin_micro_usd: margin, margin_percent: percent }
}
