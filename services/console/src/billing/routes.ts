import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { insertJobs, runJobsNow } from '@filmgate/kit/jobs/job-repository'
import { Elysia } from 'elysia'
import { type Inside, type MemberDeps, memberOf, requireRole } from '../accounts/member-of'
import { insertAct } from '../acts/act-repository'
import type { Person } from '../door/person'
import { readForm } from '../door/read-form'
import type { Reason } from '../errors'
import type { AccountView, Gateway } from '../gateway/gateway'
import { answerPage, seeOther } from '../layout/answer-page'
import { accountPath } from '../layout/menu'
import { stripeLimit } from '../limits/limits'
import { takeTry } from '../limits/take-try'
import { findCustomer } from './customers/customer-repository'
import { askKind } from './job-kinds'
import type { Pack } from './packs/packs'
import { billingPage } from './page'
import { purchasePage, purchaseState } from './purchase-page'
import { buy, purchasePath } from './purchases/buy'
import type { ListedPurchase } from './purchases/purchase'
import { findListedPurchase, findPurchaseOf, listPurchases } from './purchases/purchase-repository'
import type { StripeApi } from './stripe/stripe-api'

export type BillingDeps = MemberDeps & {
  sql: Sql
  gateway: Gateway
  /** Not there where buying is off. */
  stripe: StripeApi | undefined
  packs: Pack[]
  consoleUrl: string
  paymentAskAfterMs: number
  now(): Date
}

const purchasesShown = 25
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const idIn = (text: string | undefined): string | undefined => (text && uuid.test(text) ? text : undefined)

/** Buying credits: owners buy, members see, viewers don't. */
export const billing = (deps: BillingDeps) =>
  new Elysia({ name: 'billing', normalize: false })
    .use(memberOf(deps))
    .get('/accounts/:id/billing', async ({ set, query, ...inside }) => answerPage(set, await showBilling(deps, inside, query)))
    .post(
      '/accounts/:id/billing/purchases',
      async function postPurchase({ request, person, member, set }) {
        requireRole(member, 'owner')
        const stripe = await stripeFor(deps, person)
        const form = await readForm(request)
        const wanted = { formId: form.get('form'), packId: form.get('pack'), packTerms: form.get('terms'), person, member }
        return seeOther(set, await buy({ ...deps, stripe }, wanted))
      },
      { parse: 'none' },
    )
    .post('/accounts/:id/billing/portal', async function postPortal({ person, member, set }) {
      requireRole(member, 'owner')
      const stripe = await stripeFor(deps, person)
      const { accountId } = member
      const customer = await findCustomer(deps.sql, { accountId, livemode: stripe.livemode })
      if (!customer) throw new Failure<Reason>('not_found')
      const url = await stripe.createPortalUrl(customer, `${deps.consoleUrl}${accountPath(accountId, 'billing')}`)
      await insertAct(deps.sql, person, { accountId, act: 'portal.opened' })
      return seeOther(set, url)
    })
    .get('/accounts/:id/billing/purchases/:purchase', async function getPurchase({ params, set, person, member, memberships }) {
      const purchase = await requirePurchase(deps, member, params.purchase)
      return answerPage(set, purchasePage({ person, member, memberships, purchase, isOn: deps.stripe !== undefined }))
    })
    .get('/accounts/:id/billing/purchases/:purchase/state', async ({ params, member }) =>
      purchaseState(await requirePurchase(deps, member, params.purchase)),
    )
    .post('/accounts/:id/billing/purchases/:purchase/ask', async function postAsk({ params, set, person, member }) {
      requireRole(member, 'owner')
      const purchase = await requirePurchase(deps, member, params.purchase)
      await stripeFor(deps, person)
      await insertJobs(deps.sql, [{ kind: askKind, id: purchase.id, fairnessKey: purchase.accountId }])
      await runJobsNow(deps.sql, askKind, [purchase.id])
      await insertAct(deps.sql, person, { accountId: purchase.accountId, act: 'purchase.asked', subject: purchase.id })
      return seeOther(set, purchasePath(purchase))
    })
    .get('/accounts/:id/billing/purchases/:purchase/:paper', async function getPaper({ params, set, person, member }) {
      const purchase = await requirePurchase(deps, member, params.purchase)
      const { paper } = params
      if (paper !== 'receipt' && paper !== 'invoice') throw new Failure<Reason>('not_found')
      const url = (await (await stripeFor(deps, person)).findPapers(purchase))[paper]
      if (!url) throw new Failure<Reason>('not_found')
      return seeOther(set, url)
    })

async function showBilling(
  deps: BillingDeps,
  { person, member, memberships }: Inside,
  query: Record<string, string | undefined>,
): Promise<string> {
  requireRole(member, 'member')
  const { sql, gateway, stripe, packs } = deps
  const { accountId } = member
  const left = idIn(query.left)
  const [account, purchases, customer, leftPurchase] = await Promise.all([
    gateway.get<AccountView>(person, `/accounts/${accountId}`),
    listPurchases(sql, accountId, purchasesShown + 1, idIn(query.before)),
    stripe && findCustomer(sql, { accountId, livemode: stripe.livemode }),
    left ? findPurchaseOf(sql, accountId, left) : undefined,
  ])
  const page = purchases.slice(0, purchasesShown)
  const next = purchases.length > purchasesShown ? page.at(-1)?.id : undefined
  return billingPage({
    ...{ person, member, memberships, account, purchases: page, next, left: leftPurchase },
    packs: stripe && packs,
    hasCustomer: customer !== undefined,
  })
}

/** Counts as a question of theirs. */
async function stripeFor({ sql, stripe }: BillingDeps, { id }: Person): Promise<StripeApi> {
  if (!stripe) throw new Failure<Reason>('not_found')
  await takeTry(sql, stripeLimit, id)
  return stripe
}

async function requirePurchase({ sql }: BillingDeps, member: Inside['member'], id: string): Promise<ListedPurchase> {
  requireRole(member, 'member')
  const purchase = idIn(id) && (await findListedPurchase(sql, member.accountId, id))
  if (!purchase) throw new Failure<Reason>('not_found')
  return purchase
}
