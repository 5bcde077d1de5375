import type Stripe from 'stripe'
import type { DisputeShares, Money } from '../changes/converted-amount'

/**
 * A dispute and its charge, each in its own currency, in the one that was presented to the customer, and as booked in
 * the account's (https://docs.stripe.com/api/disputes/object, https://docs.stripe.com/api/charges/object). What a
 * dispute withdraws is below 0; what is reinstated later takes nothing of what was disputed.
 */
export async function findDisputeShares(stripe: Stripe, id: string): Promise<DisputeShares> {
  const dispute = await stripe.disputes.retrieve(id, { expand: ['charge.balance_transaction'] })
  const { charge } = dispute
  if (typeof charge === 'string') throw new Error(`the charge of the dispute ${id} was not expanded`)
  const { presentment_details: presented, balance_transaction: booked } = charge
  return {
    disputed: [moneyOf(dispute), ...withdrawn(dispute)],
    charged: [
      moneyOf(charge),
      ...(presented ? [{ amount: presented.presentment_amount, currency: presented.presentment_currency }] : []),
      ...(booked && typeof booked !== 'string' ? [moneyOf(booked)] : []),
    ],
  }
}

const moneyOf = ({ amount, currency }: Money): Money => ({ amount, currency })

/** The most that was out at once: it may be withdrawn in parts, and again after it was reinstated. */
function withdrawn(dispute: Stripe.Dispute): Money[] {
  const bookings = dispute.balance_transactions ?? []
  const [first] = bookings
  if (!first || bookings.some(({ currency }) => currency !== first.currency)) return []
  let [out, most] = [0, 0]
  for (const { amount } of bookings.toSorted((a, b) => a.created - b.created)) {
    out -= amount
    most = Math.max(most, out)
  }
  return most > 0 ? [{ amount: most, currency: first.currency }] : []
}
