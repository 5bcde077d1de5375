import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { insertJobs } from '@filmgate/kit/jobs/job-repository'
import type { Membership } from '../../accounts/account-repository'
import { insertAct } from '../../acts/act-repository'
import type { Person } from '../../door/person'
import type { Reason } from '../../errors'
import { withCustomer } from '../customers/with-customer'
import { askKind } from '../job-kinds'
import { type Pack, termsOf } from '../packs/packs'
import type { StripeApi } from '../stripe/stripe-api'
import type { Purchase } from './purchase'
import { countPurchasesSince, findPurchaseOf, insertPurchase, lockPurchase, updatePurchase } from './purchase-repository'
import { nextState } from './purchase-states'

export type BuyDeps = { sql: Sql; stripe: StripeApi; packs: Pack[]; consoleUrl: string; paymentAskAfterMs: number; now(): Date }
export type Wanted = { formId: string; packId: string; packTerms: string; person: Person; member: Membership }

const formId = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const hourMs = 3_600_000
/** Nobody who pays begins more; a script that begins checkouts would fill Stripe's lists. */
const begunAnHourMax = 30

/** Where to pay. The purchase is durable before Stripe hears of it; the same form again is the same purchase and the same checkout. */
export async function buy(deps: BuyDeps, wanted: Wanted): Promise<string> {
  const { accountId } = wanted.member
  if (!formId.test(wanted.formId)) throw new Failure<Reason>('invalid_form')
  const known = await findPurchaseOf(deps.sql, accountId, wanted.formId)
  const purchase = known ?? (await begin(deps, wanted))
  if (purchase.checkoutUrl && purchase.state === 'open') return purchase.checkoutUrl
  if (purchase.state !== 'created') return purchasePath(purchase)
  // A key of the other mode was set meanwhile: what was begun for play would be paid with money, or the other way round.
  if (purchase.livemode !== deps.stripe.livemode)
    throw new Failure<Reason>('invalid_request', {
      message: 'This purchase was begun before the way to pay changed. Go back, reload the page and buy anew.',
    })
  return openCheckout(deps, wanted, purchase)
}

export const purchasePath = ({ accountId, id }: Pick<Purchase, 'accountId' | 'id'>): string =>
  `/accounts/${accountId}/billing/purchases/${id}`

async function begin({ sql, stripe, packs, paymentAskAfterMs, now }: BuyDeps, wanted: Wanted): Promise<Purchase> {
  const { person, member, formId: id } = wanted
  const pack = packs.find(each => each.id === wanted.packId)
  if (!pack || termsOf(pack) !== wanted.packTerms)
    throw new Failure<Reason>('invalid_request', { message: 'This pack has changed since the page was shown. Go back and reload it.' })
  const begun = await countPurchasesSince(sql, member.accountId, new Date(now().getTime() - hourMs))
  if (begun >= begunAnHourMax) throw new Failure<Reason>('too_many', { retryAfterSeconds: hourMs / 1_000 })
  const { accountId } = member
  const terms = { packId: pack.id, packVersion: pack.version, packName: pack.name, credits: pack.credits, amount: pack.amount }
  await sql.begin(async sql => {
    const purchase = { id, accountId, personId: person.id, ...terms, currency: pack.currency, livemode: stripe.livemode }
    if (!(await insertPurchase(sql, purchase))) return
    await insertJobs(sql, [{ kind: askKind, id, fairnessKey: accountId, runAfterMs: paymentAskAfterMs }])
    await insertAct(sql, person, { accountId, act: 'purchase.begun', subject: id, details: { pack: pack.id, version: pack.version } })
  })
  const purchase = await findPurchaseOf(sql, accountId, id)
  // The form of another account, which nobody can have by chance.
  if (!purchase) throw new Failure<Reason>('invalid_form')
  return purchase
}

async function openCheckout({ sql, stripe, consoleUrl }: BuyDeps, { person, member }: Wanted, purchase: Purchase): Promise<string> {
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
