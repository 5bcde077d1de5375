import { Failure } from '@filmgate/kit/failure'
import { act } from '@filmgate/kit/operator/act'
import { Elysia } from 'elysia'
import { findPurchase } from '../../billing/purchases/purchase-repository'
import { readForm } from '../../door/read-form'
import type { Reason } from '../../errors'
import { seeOther } from '../../layout/answer-page'
import { actPath } from '../acts/shown-act'
import { type OperateDeps, operatorOf } from '../door/operator-of'
import { accountPath } from '../layout/menu'
import { accept } from './accept'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Payments that a person decides. */
export const acceptedPurchases = (deps: OperateDeps) =>
  new Elysia({ normalize: false }).use(operatorOf(deps)).post(
    '/operate/purchases/:id/accept',
    async function postAcceptance({ operator, request, params: { id }, set }) {
      const purchase = uuid.test(id) && (await findPurchase(deps.sql, id))
      if (!purchase) throw new Failure<Reason>('not_found')
      const done = await accept(deps, operator, await readForm(request), purchase)
      return seeOther(set, actPath(accountPath(purchase.accountId), done))
    },
    { ...act('money'), parse: 'none' },
  )
