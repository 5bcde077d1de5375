import type Stripe from 'stripe'
import { type PaymentFact, paymentFact, type ReversalFact, reversalFact, UnreadableError } from './facts'

/** In the order of comparison: a refund of a missed payment then finds the payment. */
export const stripeLists = ['charges', 'refunds', 'disputes'] as const
export type StripeList = (typeof stripeLists)[number]

/** Created at or after `from` and before `to`, to the second. */
export type Period = { from: Date; to: Date }
export type ListedFact = PaymentFact | ReversalFact

export type ListedPage = {
  /** How many objects the page has, including irrelevant ones. */
  count: number
  facts: ListedFact[]
  unreadable: { id: string; fault: string }[]
  /** Cursor of the next page; undefined after the last. */
  next: string | undefined
}

/** Stripe's maximum. */
const pageObjects = 100

/** A page of one of Stripe's lists, newest first. New objects appear in front, so that later pages don't shift. */
export async function listPage(stripe: Stripe, list: StripeList, period: Period, after: string | undefined): Promise<ListedPage> {
  const { data, has_more: hasMore } = await readers[list].page(stripe, {
    created: { gte: secondsOf(period.from), lt: secondsOf(period.to) },
    limit: pageObjects,
    ...(after && { starting_after: after }),
  })
  const page: ListedPage = { count: data.length, facts: [], unreadable: [], next: hasMore ? data.at(-1)?.id : undefined }
  for (const object of data)
    try {
      const fact = readers[list].fact(object)
      if (fact) page.facts.push(fact)
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error
      page.unreadable.push({ id: object.id, fault: error.message })
    }
  return page
}

type Params = { created: { gte: number; lt: number }; limit: number; starting_after?: string }
type Reader = {
  page(stripe: Stripe, params: Params): Promise<{ data: { id: string }[]; has_more: boolean }>
  fact(object: object): ListedFact | undefined
}

const readers: Record<StripeList, Reader> = {
  charges: {
    page: (stripe, params) => stripe.charges.list({ ...params, expand: ['data.payment_intent'] }),
    // Failed and pending charges are no payments. A charge without a payment intent isn't from our checkouts.
    fact: object => {
      const { status, payment_intent: payment } = object as Pick<Stripe.Charge, 'status' | 'payment_intent'>
      return status === 'succeeded' && payment ? paymentFact(payment) : undefined
    },
  },
  refunds: {
    page: (stripe, params) => stripe.refunds.list(params),
    fact: object => reversalFact('refund', object),
  },
  disputes: {
    page: (stripe, params) => stripe.disputes.list(params),
    fact: object => reversalFact('dispute', object),
  },
}

const secondsOf = (moment: Date): number => Math.floor(moment.getTime() / 1_000)
