import { addSums, type CostSums, Costs as CostsAnswer, type Earnings, earningsOf, totalEarnings } from '@filmgate/proto/operator/provider'
import { type Call, callFor } from '../operator-api'
import { eachPortion } from './portions'

export type CostsInput = { from: string; to: string; provider?: string | undefined }
export type Costs = { from: string; to: string; credit_micro_usd: number; data: Earnings[]; total: Earnings }

/** What attempts made in that time cost and brought, by provider and model, dearest first. */
export async function providerCosts(call: Call, { from, to, provider }: CostsInput): Promise<Costs> {
  const sums = new Map<string, CostSums>()
  let creditMicroUsd = 0
  for (const { from: begin, to: end } of eachPortion(from, to)) {
    const query = new URLSearchParams({ from: begin, to: end, ...(provider !== undefined && { provider }) })
    const { data, credit_micro_usd: worth } = await callFor(call, CostsAnswer, 'dispatcher', 'GET', `/costs?${query}`)
    creditMicroUsd = worth
    for (const one of data) {
      const key = `${one.provider} ${one.model}`
      sums.set(key, addSums(sums.get(key), one))
    }
  }
  const rows = [...sums.values()].map(one => earningsOf(one, creditMicroUsd)).toSorted((a, b) => b.cost_micro_usd - a.cost_micro_usd)
  return {
    from,
    to,
    credit_micro_usd: creditMicroUsd,
    data: rows,
    total: totalEarnings([...sums.values()], creditMicroUsd),
  }
}
