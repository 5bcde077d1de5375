import type { Sql } from '@filmgate/kit/database/postgres'
import { CustomerGoneError, type StripeApi } from '../stripe/stripe-api'
import { findCustomer, keepCustomer } from './customer-repository'

type Deps = { sql: Sql; stripe: StripeApi }
type Named = { accountId: string; accountName: string; email: string }

/** Calls Stripe for the account's customer, who is made first where there is none, and anew where somebody deleted it at Stripe. */
export async function withCustomer<T>({ sql, stripe }: Deps, named: Named, call: (customer: string) => Promise<T>): Promise<T> {
  const owned = { accountId: named.accountId, livemode: stripe.livemode }
  const known = await findCustomer(sql, owned)
  const make = async (gone?: string) => keepCustomer(sql, owned, await stripe.createCustomer({ ...named, gone }), gone)
  if (!known) return call(await make())
  try {
    return await call(known)
  } catch (error) {
    if (error instanceof CustomerGoneError) return call(await make(known))
    throw error
  }
}
