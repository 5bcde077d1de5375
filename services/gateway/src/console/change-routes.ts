import { Failure } from '@filmgate/kit/failure'
import { operatorName } from '@filmgate/kit/operator/operator-name'
import { readJsonAs, takes } from '@filmgate/kit/request/read-json'
import { words } from '@filmgate/kit/request/text'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { type ChangeDeps, changeCredits } from '../credit-changes/change-credits'
import { type CreditChange, changeView, movedView, type NewChange } from '../credit-changes/credit-change'
import { listChangesFrom } from '../credit-changes/credit-change-repository'
import { readAlone } from '../database/batched-read'
import type { Reason } from '../errors'
import { cursor, writeCursor } from '../paging/cursor'
import { pageOf } from '../paging/page'
import { pageSize, readQuery, storable } from '../paging/read-query'
import { type AuthDeps, accountAuth } from './auth'

export type ChangeRouteDeps = AuthDeps & ChangeDeps & { now(): Date }

const terms = {
  credits: Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 }),
  /** What is paid for; starter credits are granted by a route of their own. */
  balance: Type.Literal('paid'),
  reason: words(500),
}
const Grant = Type.Object(terms, { additionalProperties: false })
const Debit = Type.Object({ ...terms, beyond_balance: Type.Optional(Type.Boolean()) }, { additionalProperties: false })
const changeIdForm = /^[a-zA-Z0-9._:-]{1,160}$/

/** An account's grants and debits, newest first; and what a payment, a refund or a dispute makes of its paid balance. */
export const changeRoutes = (deps: ChangeRouteDeps) =>
  new Elysia({ normalize: false })
    .use(accountAuth(deps))
    .get('/accounts/:id/credit-changes', async function getChanges({ request, account, leftMs }) {
      const query = readQuery(request.url, { cursor: cursor(positionOf), limit: pageSize(50, 500) })
      const page = { accountId: account.id, position: query.cursor, rowsMax: query.limit + 1 }
      return pageOf(await readAlone(listChangesFrom(deps.sql, page), leftMs), query.limit, consoleChangeView, ({ askedAt, id }) =>
        writeCursor([askedAt.toISOString(), id]),
      )
    })
    .put(
      '/accounts/:id/grants/:change',
      async function putGrant({ request, account, params, set }) {
        const body = await readJsonAs(Grant, request)
        return answer(deps, { ...body, kind: 'grant', ...asked(deps, request, account.id, params.change) }, set)
      },
      takes(Grant),
    )
    .put(
      '/accounts/:id/debits/:change',
      async function putDebit({ request, account, params, set }) {
        const { beyond_balance: beyondBalance = false, ...body } = await readJsonAs(Debit, request)
        return answer(deps, { ...body, beyondBalance, kind: 'debit', ...asked(deps, request, account.id, params.change) }, set)
      },
      takes(Debit),
    )

function asked({ now }: ChangeRouteDeps, request: Request, accountId: string, id: string) {
  if (changeIdForm.test(id)) return { id, accountId, operator: operatorName(request), askedAt: now() }
  const message = 'change must have from 1 to 160 letters, digits and . _ : -'
  throw new Failure<Reason>('invalid_request', { details: { issues: [{ path: 'change', rule: 'id', message }] } })
}

/** 200 with the ledger's decision, 202 while there is none. */
async function answer(deps: ChangeRouteDeps, change: NewChange, set: { status?: number | string }) {
  const decided = await changeCredits(deps, change)
  if (decided.state === 'pending') set.status = 202
  return consoleChangeView(decided)
}

const consoleChangeView = (change: CreditChange) => ({
  ...changeView(change),
  beyond_balance: change.beyondBalance ?? false,
  ...movedView(change),
})

function positionOf([at = '', id]: string[]): { askedAt: Date; id: string } | undefined {
  const askedAt = new Date(at)
  return id === undefined || !storable(askedAt) ? undefined : { askedAt, id }
}
