import type Stripe from 'stripe'
import type { DisputeShares, Money } from '../changes/converted-amount'

/**
 * The amounts of a dispute and its charge: in their own currency, as presented to the customer, and as booked in the
 * account's currency (https://docs.stripe.com/api/disputes/object, https://docs.stripe.com/api/charges/object).
 * Withdrawals are negative; a later reinstatement doesn't reduce the disputed amount.
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

/** The maximum withdrawn at any time: a dispute may be withdrawn in parts, and again after a reinstatement. */
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
