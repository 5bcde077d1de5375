import { accountPath } from '../layout/menu'
import type { Subject } from './save-budget'

export const budgetsPath = (accountId: string): string => `${accountPath(accountId)}/budgets`

/** The page of one budget: of the account, a key or a member. */
export function budgetFormPath(accountId: string, { scope, id }: Pick<Subject, 'scope' | 'id'>): string {
  const path = budgetsPath(accountId)
  return scope === 'account' ? `${path}/account` : `${path}/${scope}s/${encodeURIComponent(id)}`
}
