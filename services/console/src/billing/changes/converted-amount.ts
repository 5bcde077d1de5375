/** In the currency's smallest unit. */
export type Money = { amount: number; currency: string }

/** One sum each, in every currency that Stripe shows it in: what is disputed, and what was charged. */
export type DisputeShares = { disputed: Money[]; charged: Money[] }

/**
 * What of `paid` is disputed: the share of the charge in the first currency that both are shown in, rounded down in
 * the customer's favour. Undefined where there is none.
 */
export function convertedAmount(paid: number, { disputed, charged }: DisputeShares): number | undefined {
  for (const { amount, currency } of disputed) {
    const whole = charged.find(each => each.currency === currency && each.amount > 0)
    if (whole) return Math.min(paid, Number((BigInt(paid) * BigInt(amount)) / BigInt(whole.amount)))
  }
  return undefined
}
