import { until } from '../until'
import { operate } from './operator'

export type Cap = { period: string; max_credits: number; spent_credits: number; left_credits: number; resets_at: string | null }
export type BudgetList = { time_zone: string; data: { budget: string; id: string; applied: boolean; caps: Cap[] }[] }

type Terms = { total?: number; day?: number; month?: number; time_zone?: string }

export const budgetsOf = (accountId: string) => operate<BudgetList>('gateway', 'GET', `/accounts/${accountId}/budgets`)

/** Sets caps and returns once the ledger holds to them. */
export async function setBudget(accountId: string, scope: 'key' | 'member' | 'account', id: string, terms: Terms): Promise<BudgetList> {
  await operate('gateway', 'PUT', `/accounts/${accountId}/budgets/${scope}/${id}`, terms)
  return until('the ledger to take a budget', async () => {
    const list = await budgetsOf(accountId)
    return list.data.every(({ applied }) => applied) && list
  })
}
