import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { insertJobs } from '@filmgate/kit/jobs/job-repository'
import type { Membership } from '../../accounts/account-repository'
import { insertAuditEntry } from '../../audit-log/audit-entry-repository'
import type { Reason } from '../../errors'
import type { Person } from '../../http/person'
import { withCustomer } from '../customers/with-customer'
import { refreshKind } from '../job-kinds'
import { type Pack, termsOf } from '../packs/packs'
import type { StripeApi } from '../stripe/stripe-api'
import type { Purchase } from './purchase'
import { countPurchasesSince, findPurchaseOf, insertPurchase, lockPurchase, updatePurchase } from './purchase-repository'
import { nextState } from './purchase-states'

export type BuyDeps = { sql: Sql; stripe: StripeApi; packs: Pack[]; consoleUrl: string; paymentAskAfterMs: number; now(): Date }
export type BuyInput = { formId: string; packId: string; packTerms: string; person: Person; member: Membership }

const formId = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const hourMs = 3_600_000
/** More purchases per hour than any person makes; protects Stripe's lists from scripts. */
const purchasesAnHourMax = 30

/**
 * Returns the URL to pay at. The purchase is stored before Stripe is called; the same form id is the same purchase and
 * the same checkout.
 */
export async function buy(deps: BuyDeps, input: BuyInput): Promise<string> {
  const { accountId } = input.member
  if (!formId.test(input.formId)) throw new Failure<Reason>('invalid_form')
  const known = await findPurchaseOf(deps.sql, accountId, input.formId)
  const purchase = known ?? (await createPurchase(deps, input))
  if (purchase.checkoutUrl && purchase.state === 'open') return purchase.checkoutUrl
  if (purchase.state !== 'created') return purchasePath(purchase)
  // The Stripe mode has changed since. A test purchase must not be paid with real money, or the other way round.
  if (purchase.livemode !== deps.stripe.livemode)
    throw new Failure<Reason>('invalid_request', {
      message: 'The payment settings have changed since this purchase was started. Go back, reload the page and buy again.',
    })
  return openCheckout(deps, input, purchase)
}

export const purchasePath = ({ accountId, id }: Pick<Purchase, 'accountId' | 'id'>): string =>
  `/accounts/${accountId}/billing/purchases/${id}`

async function createPurchase({ sql, stripe, packs, paymentAskAfterMs, now }: BuyDeps, input: BuyInput): Promise<Purchase> {
  const { person, member, formId: id } = input
  const pack = packs.find(each => each.id === input.packId)
  if (!pack || termsOf(pack) !== input.packTerms)
    throw new Failure<Reason>('invalid_request', { message: 'This pack has changed since the page was loaded. Go back and reload it.' })
  const begun = await countPurchasesSince(sql, member.accountId, new Date(now().getTime() - hourMs))
  if (begun >= purchasesAnHourMax) throw new Failure<Reason>('too_many', { retryAfterSeconds: hourMs / 1_000 })
  const { accountId } = member
  const terms = { packId: pack.id, packVersion: pack.version, packName: pack.name, credits: pack.credits, amount: pack.amount }
  await sql.begin(async sql => {
    const purchase = { id, accountId, personId: person.id, ...terms, currency: pack.currency, livemode: stripe.livemode }
    if (!(await insertPurchase(sql, purchase))) return
    await insertJobs(sql, [{ kind: refreshKind, id, fairnessKey: accountId, runAfterMs: paymentAskAfterMs }])
    await insertAuditEntry(sql, person, {
      accountId,
      action: 'purchase.begun',
      subject: id,
      details: { pack: pack.id, version: pack.version },
    })
  })
  const purchase = await findPurchaseOf(sql, accountId, id)
  // The form id belongs to another account, which can't happen by chance.
  if (!purchase) throw new Failure<Reason>('invalid_form')
  return purchase
}

async function openCheckout({ sql, stripe, consoleUrl }: BuyDeps, { person, member }: BuyInput, purchase: Purchase): Promise<string> {
  const { accountId, accountName } = member
  const pages = {
    successUrl: `${consoleUrl}${purchasePath(purchase)}`,
    cancelUrl: `${consoleUrl}/accounts/${accountId}/billing?left=${purchase.id}`,
  }
  const named = { accountId, accountName, email: person.email }
  const session = await withCustomer({ sql, stripe }, named, customer => stripe.createSession(purchase, customer, pages))
  const { sessionId, url } = session
  await sql.begin(async sql => {
    const now = await lockPurchase(sql, purchase.id)
    if (now) await updatePurchase(sql, purchase.id, { state: nextState(now.state, 'opened'), sessionId, checkoutUrl: url })
  })
  return url ?? purchasePath(purchase)
}
