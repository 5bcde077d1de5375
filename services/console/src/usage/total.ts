import type { UsageSumView } from '../gateway/gateway'

export type Total = {
  generations: number
  seconds: number
  used: number
  refunded: number
  net: number
  held: number
  starterNet: number | undefined
}

/** Whatever it is grouped by. */
export type Sum = Omit<UsageSumView, 'day' | 'model'>

/** The sum of all rows. */
export function totalOf(sums: Sum[]): Total {
  const sum = (figureOf: (row: Sum) => number) => sums.reduce((total, row) => total + figureOf(row), 0)
  return {
    generations: sum(row => row.generations),
    seconds: sum(row => row.billed_seconds),
    used: sum(row => row.credits_used),
    refunded: sum(row => row.credits_refunded),
    net: sum(row => row.credits_net),
    held: sum(row => row.credits_held ?? 0),
    starterNet: sums.some(row => row.starter_credits_net === undefined) ? undefined : sum(row => row.starter_credits_net ?? 0),
  }
}
