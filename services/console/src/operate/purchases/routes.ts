import { Failure } from '@filmgate/kit/failure'
import { needsRole } from '@filmgate/kit/operator/needs-role'
import { Elysia } from 'elysia'
import { isPurchaseId, type Purchase } from '../../billing/purchases/purchase'
import { findPurchase } from '../../billing/purchases/purchase-repository'
import type { Reason } from '../../errors'
import { readForm } from '../../http/read-form'
import { answerPage, seeOther } from '../../layout/answer-page'
import { type OperateDeps, requireOperator } from '../access/require-operator'
import { actionNotice, actionPath, findShownAction } from '../actions/shown-action'
import { sections } from '../layout/menu'
import { accept } from './accept'
import { convert } from './convert'
import { purchasesPage } from './page'
import { readPurchaseFilter, readPurchases } from './read-purchases'

const [purchasesPath] = sections.purchases

/** The purchases of all accounts, and payments that need a decision. */
export const purchases = (deps: OperateDeps) =>
  new Elysia({ normalize: false })
    .use(requireOperator(deps))
    .get(purchasesPath, async function getPurchases({ operator, request, set }) {
      const filter = readPurchaseFilter(request.url)
      const [purchases, last] = await Promise.all([readPurchases(deps.sql, filter), findShownAction(deps.sql, request, operator)])
      return answerPage(set, purchasesPage({ operator, url: request.url, filter, purchases, last, notice: actionNotice(last) }))
    })
    .post(
      `${purchasesPath}/:id/accept`,
      async function postAcceptance({ operator, request, params: { id }, set }) {
        const purchase = await requirePurchase(deps, id)
        return seeOther(set, actionPath(purchasesPath, await accept(deps, operator, await readForm(request), purchase)))
      },
      { ...needsRole('money'), parse: 'none' },
    )
    .post(
      `${purchasesPath}/:id/disputes`,
      async function postDispute({ operator, request, params: { id }, set }) {
        const purchase = await requirePurchase(deps, id)
        return seeOther(set, actionPath(purchasesPath, await convert(deps, operator, await readForm(request), purchase)))
      },
      { ...needsRole('money'), parse: 'none' },
    )

async function requirePurchase({ sql }: OperateDeps, id: string): Promise<Purchase> {
  const purchase = isPurchaseId(id) && (await findPurchase(sql, id))
  if (!purchase) throw new Failure<Reason>('not_found')
  return purchase
}
