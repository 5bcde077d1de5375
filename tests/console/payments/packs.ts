export type Pack = { credits: number; amount: number; currency: string }

/** Amounts in the currency's smallest unit, which of yen is a yen. Most credits are no whole number of it, and one is less than a credit. */
export const packs: readonly Pack[] = [
  { credits: 1_500, amount: 999, currency: 'usd' },
  { credits: 1_000, amount: 1_100, currency: 'jpy' },
  { credits: 7_000, amount: 4_999, currency: 'eur' },
  { credits: 333, amount: 1_000, currency: 'usd' },
  { credits: 20_000, amount: 20_000, currency: 'usd' },
]

/** Of a purchase, the whole credits that the money that is out stands for, rounded down, never more than were bought (decision 0932). */
export function creditsTaken({ credits, amount }: Pack, moneyOut: number): number {
  const scaled = credits * moneyOut
  return Math.min(credits, (scaled - (scaled % amount)) / amount)
}
