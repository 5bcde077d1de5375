import type Stripe from 'stripe'
import { type PaymentFact, paymentFact, type ReversalFact, reversalFact, UnreadableError } from './facts'

/** In the order in which they are compared: a refund of a payment that was missed is of a known one then. */
export const stripeLists = ['charges', 'refunds', 'disputes'] as const
export type StripeList = (typeof stripeLists)[number]

/** Created from `from` on and before `to`, to the second. */
export type Period = { from: Date; to: Date }
export type ListedFact = PaymentFact | ReversalFact

export type ListedPage = {
  /** How many objects the page has, also those that say nothing of a payment. */
  count: number
  facts: ListedFact[]
  unreadable: { id: string; fault: string }[]
  /** What the next page comes after; undefined behind the last. */
  next: string | undefined
}

/** Stripe's largest. */
const pageObjects = 100

/**
 * A page of one of Stripe's lists, newest first. What is listed later comes in front, so that no page moves meanwhile.
 */
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
    // What failed or is on its way is no payment; what has no payment intent is of no checkout of ours.
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
