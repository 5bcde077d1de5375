import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { insertJobs, runJobsNow } from '@filmgate/kit/jobs/job-repository'
import { Elysia } from 'elysia'
import { type MemberContext, type MemberDeps, requireMember, requireRole } from '../accounts/require-member'
import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import type { Reason } from '../errors'
import type { AccountView, Gateway } from '../gateway/gateway'
import type { Person } from '../http/person'
import { readForm } from '../http/read-form'
import { answerPage, seeOther } from '../layout/answer-page'
import { accountPath } from '../layout/menu'
import { enforceLimit } from '../limits/enforce-limit'
import { stripeLimit } from '../limits/limits'
import { findCustomer } from './customers/customer-repository'
import { refreshKind } from './job-kinds'
import { readThreshold, setThreshold } from './low-balance'
import type { Pack } from './packs/packs'
import { billingPage } from './page'
import { purchasePage, purchaseState } from './purchase-page'
import { buy, purchasePath } from './purchases/buy'
import { isPurchaseId, type ListedPurchase } from './purchases/purchase'
import { findListedPurchase, findPurchaseOf, listPurchases } from './purchases/purchase-repository'
import type { StripeApi } from './stripe/stripe-api'

export type BillingDeps = MemberDeps & {
  sql: Sql
  gateway: Gateway
  /** Undefined if buying is off. */
  stripe: StripeApi | undefined
  packs: Pack[]
  billingContact?: string | undefined
  consoleUrl: string
  paymentAskAfterMs: number
  now(): Date
}

const pageRows = 25
const uuidIn = (text: string | undefined): string | undefined => (text && isPurchaseId(text) ? text : undefined)

/** Buying credits: owners buy, members see purchases, viewers see nothing. */
export const billing = (deps: BillingDeps) =>
  new Elysia({ name: 'billing', normalize: false })
    .use(requireMember(deps))
    .get('/accounts/:id/billing', async ({ set, query, ...context }) => answerPage(set, await showBilling(deps, context, query)))
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
    .post(
      '/accounts/:id/billing/low-balance',
      async function postThreshold({ request, set, ...context }) {
        const { person, member } = context
        requireRole(member, 'owner')
        const read = readThreshold((await readForm(request)).get('credits'))
        if (!read.ok) return answerPage(set, await showBilling(deps, context, {}, read), 400)
        await setThreshold(deps, { person, accountId: member.accountId, credits: read.credits })
        return seeOther(set, accountPath(member.accountId, 'billing'))
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
      await insertAuditEntry(deps.sql, person, { accountId, action: 'portal.opened' })
      return seeOther(set, url)
    })
    .get('/accounts/:id/billing/purchases/:purchase', async function getPurchase({ params, set, person, member, memberships }) {
      const purchase = await requirePurchase(deps, member, params.purchase)
      return answerPage(set, purchasePage({ person, member, memberships, purchase, isOn: deps.stripe !== undefined }))
    })
    .get('/accounts/:id/billing/purchases/:purchase/state', async ({ params, member }) =>
      purchaseState(await requirePurchase(deps, member, params.purchase)),
    )
    .post('/accounts/:id/billing/purchases/:purchase/ask', async function postRefresh({ params, set, person, member }) {
      requireRole(member, 'owner')
      const purchase = await requirePurchase(deps, member, params.purchase)
      await stripeFor(deps, person)
      await insertJobs(deps.sql, [{ kind: refreshKind, id: purchase.id, fairnessKey: purchase.accountId }])
      await runJobsNow(deps.sql, refreshKind, [purchase.id])
      await insertAuditEntry(deps.sql, person, { accountId: purchase.accountId, action: 'purchase.asked', subject: purchase.id })
      return seeOther(set, purchasePath(purchase))
    })
    .get('/accounts/:id/billing/purchases/:purchase/:paper', async function getPaper({ params, set, person, member }) {
      const purchase = await requirePurchase(deps, member, params.purchase)
      const { paper } = params
      if (paper !== 'receipt' && paper !== 'invoice') throw new Failure<Reason>('not_found')
      const url = (await (await stripeFor(deps, person)).findDocuments(purchase))[paper]
      if (!url) throw new Failure<Reason>('not_found')
      return seeOther(set, url)
    })

async function showBilling(
  deps: BillingDeps,
  { person, member, memberships }: MemberContext,
  query: Record<string, string | undefined>,
  wrong?: { value: string; issue: string },
): Promise<string> {
  requireRole(member, 'member')
  const { sql, gateway, stripe, packs } = deps
  const { accountId } = member
  const left = uuidIn(query.left)
  const [account, purchases, customer, leftPurchase] = await Promise.all([
    gateway.get<AccountView>(person, `/accounts/${accountId}`),
    listPurchases(sql, accountId, pageRows + 1, uuidIn(query.before)),
    stripe && findCustomer(sql, { accountId, livemode: stripe.livemode }),
    left ? findPurchaseOf(sql, accountId, left) : undefined,
  ])
  const page = purchases.slice(0, pageRows)
  const next = purchases.length > pageRows ? page.at(-1)?.id : undefined
  return billingPage({
    ...{ person, member, memberships, account, purchases: page, next, left: leftPurchase },
    packs: stripe && packs,
    contact: deps.billingContact,
    hasCustomer: customer !== undefined,
    wrong,
  })
}

/** Counts against the person's limit of Stripe calls. */
async function stripeFor({ sql, stripe }: BillingDeps, { id }: Person): Promise<StripeApi> {
  if (!stripe) throw new Failure<Reason>('not_found')
  await enforceLimit(sql, stripeLimit, id)
  return stripe
}

async function requirePurchase({ sql }: BillingDeps, member: MemberContext['member'], id: string): Promise<ListedPurchase> {
  requireRole(member, 'member')
  const purchase = uuidIn(id) && (await findListedPurchase(sql, member.accountId, id))
  if (!purchase) throw new Failure<Reason>('not_found')
  return purchase
}
