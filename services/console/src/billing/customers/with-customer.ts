import type { Sql } from '@filmgate/kit/database/postgres'
import { CustomerGoneError, type StripeApi } from '../stripe/stripe-api'
import { findCustomer, saveCustomer } from './customer-repository'

type Deps = { sql: Sql; stripe: StripeApi }
type CustomerInput = { accountId: string; accountName: string; email: string }

/**
 * Calls Stripe with the account's customer. Creates the customer if there is none, and again if it was deleted at
 * Stripe.
 */
export async function withCustomer<T>({ sql, stripe }: Deps, input: CustomerInput, call: (customer: string) => Promise<T>): Promise<T> {
  const key = { accountId: input.accountId, livemode: stripe.livemode }
  const known = await findCustomer(sql, key)
  const make = async (gone?: string) => saveCustomer(sql, key, await stripe.createCustomer({ ...input, gone }), gone)
  if (!known) return call(await make())
  try {
    return await call(known)
  } catch (error) {
    if (error instanceof CustomerGoneError) return call(await make(known))
    throw error
  }
}
