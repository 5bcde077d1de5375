import { Failure } from '@filmgate/kit/failure'
import { act } from '@filmgate/kit/operator/act'
import { Elysia } from 'elysia'
import type { Purchase } from '../../billing/purchases/purchase'
import { findPurchase } from '../../billing/purchases/purchase-repository'
import { readForm } from '../../door/read-form'
import type { Reason } from '../../errors'
import { answerPage, seeOther } from '../../layout/answer-page'
import { actPath, noticeOf, shownAct } from '../acts/shown-act'
import { type OperateDeps, operatorOf } from '../door/operator-of'
import { rooms } from '../layout/menu'
import { accept } from './accept'
import { convert } from './convert'
import { purchasesPage } from './page'
import { readAsked, readPurchases, uuid } from './read-purchases'

const [purchasesPath] = rooms.purchases

/** What was bought, of all accounts, and payments that a person decides. */
export const purchases = (deps: OperateDeps) =>
  new Elysia({ normalize: false })
    .use(operatorOf(deps))
    .get(purchasesPath, async function getPurchases({ operator, request, set }) {
      const asked = readAsked(request.url)
      const [purchases, last] = await Promise.all([readPurchases(deps.sql, asked), shownAct(deps.sql, request, operator)])
      return answerPage(set, purchasesPage({ operator, url: request.url, asked, purchases, last, notice: noticeOf(last) }))
    })
    .post(
      `${purchasesPath}/:id/accept`,
      async function postAcceptance({ operator, request, params: { id }, set }) {
        const purchase = await requirePurchase(deps, id)
        return seeOther(set, actPath(purchasesPath, await accept(deps, operator, await readForm(request), purchase)))
      },
      { ...act('money'), parse: 'none' },
    )
    .post(
      `${purchasesPath}/:id/disputes`,
      async function postDispute({ operator, request, params: { id }, set }) {
        const purchase = await requirePurchase(deps, id)
        return seeOther(set, actPath(purchasesPath, await convert(deps, operator, await readForm(request), purchase)))
      },
      { ...act('money'), parse: 'none' },
    )

async function requirePurchase({ sql }: OperateDeps, id: string): Promise<Purchase> {
  const purchase = uuid.test(id) && (await findPurchase(sql, id))
  if (!purchase) throw new Failure<Reason>('not_found')
  return purchase
}
