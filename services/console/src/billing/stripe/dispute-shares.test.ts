import { expect, test } from 'bun:test'
import type Stripe from 'stripe'
import { findDisputeShares } from './dispute-shares'

const charge = { amount: 1_000, currency: 'chf', balance_transaction: { amount: 900, currency: 'usd' } }

/** The withdrawn amount for these bookings, in this order. */
async function booked(...amounts: number[]): Promise<number | undefined> {
  const balance_transactions = amounts.map((amount, created) => ({ amount, currency: 'usd', created })).toReversed()
  const dispute = { amount: 500, currency: 'chf', charge, balance_transactions }
  const stripe = { disputes: { retrieve: async () => dispute } } as unknown as Stripe
  return (await findDisputeShares(stripe, 'dp_1')).disputed.find(({ currency }) => currency === 'usd')?.amount
}

test('what a dispute has withdrawn is the most that was out at once', async () => {
  expect(await booked(-450)).toBe(450)
  expect(await booked(-300, -150)).toBe(450)
  expect(await booked(-450, 450)).toBe(450)
  expect(await booked(-450, 450, -450)).toBe(450)
  expect(await booked()).toBeUndefined()
})
