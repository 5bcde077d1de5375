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

function withdrawn({ balance_transactions: bookings }: Stripe.Dispute): Money[] {
  const out = (bookings ?? []).filter(({ amount }) => amount < 0)
  const [first] = out
  const isAlike = out.every(({ currency }) => currency === first?.currency)
  return first && isAlike ? [{ amount: -out.reduce((sum, { amount }) => sum + amount, 0), currency: first.currency }] : []
}
