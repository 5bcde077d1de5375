import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { needsRole } from '@filmgate/kit/operator/needs-role'
import { operatorName } from '@filmgate/kit/operator/operator-name'
import type { Budgets } from '@filmgate/proto/operator/budget'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'
import { budgetView } from './budget'
import { BudgetBody, noCaps, readBudgetBody, readSubject } from './budget-body'
import { findTimeZone, listBudgets } from './budget-repository'
import { type SetBudgetDeps, setBudget } from './set-budget'

export type BudgetRouteDeps = SetBudgetDeps & { sql: Sql }

/** The budgets of an account: each answer has all of them as they are then. */
export const budgetRoutes = (deps: BudgetRouteDeps) =>
  new Elysia({ normalize: false })
    .get('/accounts/:id/budgets', async function getBudgets({ params: { id } }): Promise<Budgets> {
      return showBudgets(deps, id)
    })
    .put(
      '/accounts/:id/budgets/:scope/:subject',
      async function putBudget({ request, params }): Promise<Budgets> {
        const subject = readSubject(params.id, params)
        await setBudget(deps, { ...subject, ...(await readBudgetBody(request)), operator: operatorName(request) })
        return showBudgets(deps, params.id)
      },
      needsRole('money', BudgetBody),
    )
    .delete(
      '/accounts/:id/budgets/:scope/:subject',
      async function deleteBudget({ request, params }): Promise<Budgets> {
        await setBudget(deps, { ...readSubject(params.id, params), caps: noCaps, operator: operatorName(request) })
        return showBudgets(deps, params.id)
      },
      needsRole('money'),
    )

export async function showBudgets({ sql, now }: Pick<BudgetRouteDeps, 'sql' | 'now'>, accountId: string): Promise<Budgets> {
  const [timeZone, budgets] = await Promise.all([findTimeZone(sql, accountId), listBudgets(sql, accountId)])
  if (timeZone === undefined) throw new Failure<Reason>('account_not_found')
  return { time_zone: timeZone, data: budgets.map(budget => budgetView(budget, timeZone, now())) }
}
