/** In the currency's smallest unit. */
export type Money = { amount: number; currency: string }

/** One sum in every currency that Stripe shows: the disputed amount and the charged amount. */
export type DisputeShares = { disputed: Money[]; charged: Money[] }

/**
 * The disputed part of `paid`: the share of the charge in the first currency that both are shown in. Rounded down in
 * the customer's favour. Undefined if they have no currency in common.
 */
export function convertedAmount(paid: number, { disputed, charged }: DisputeShares): number | undefined {
  for (const { amount, currency } of disputed) {
    const whole = charged.find(each => each.currency === currency && each.amount > 0)
    if (whole) return Math.min(paid, Number((BigInt(paid) * BigInt(amount)) / BigInt(whole.amount)))
  }
  return undefined
}
