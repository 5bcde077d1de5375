import { operatorName } from '@filmgate/kit/operator/operator-name'
import { takes } from '@filmgate/kit/request/read-json'
import { Elysia } from 'elysia'
import { BudgetBody, noCaps, readBudgetBody, readSubject } from '../../budgets/budget-body'
import { showBudgets } from '../../budgets/operator-routes'
import { type SetBudgetDeps, setBudget } from '../../budgets/set-budget'
import { type AuthDeps, accountAuth } from '../auth'

export type BudgetRouteDeps = AuthDeps & SetBudgetDeps

/** The budgets of an account. The console says whether a member is one of it. */
export const budgetRoutes = (deps: BudgetRouteDeps) =>
  new Elysia({ normalize: false })
    .use(accountAuth(deps))
    .get('/accounts/:id/budgets', async function getBudgets({ account }) {
      return showBudgets(deps, account.id)
    })
    .put(
      '/accounts/:id/budgets/:scope/:subject',
      async function putBudget({ request, account, params }) {
        const subject = readSubject(account.id, params)
        await setBudget(deps, { ...subject, ...(await readBudgetBody(request)), operator: operatorName(request) })
        return showBudgets(deps, account.id)
      },
      takes(BudgetBody),
    )
    .delete('/accounts/:id/budgets/:scope/:subject', async function deleteBudget({ request, account, params }) {
      await setBudget(deps, { ...readSubject(account.id, params), caps: noCaps, operator: operatorName(request) })
      return showBudgets(deps, account.id)
    })
