import type { Sql } from '@filmgate/kit/database/postgres'
import { forgetPrompts, listClosedAccounts } from '../task-repository'

const tasksMax = 5_000
/** Longer than the daily pass may fail. */
const closedWithinDays = 7

/** Takes the prompts of an account's tasks, for as long as `timeMsMax` lets it. */
export async function forgetPromptsOf(sql: Sql, accountId: string, timeMsMax = Number.POSITIVE_INFINITY): Promise<void> {
  const endMs = performance.now() + timeMsMax
  for (let looked = { rows: tasksMax, last: '' }; looked.rows === tasksMax && performance.now() < endMs; )
    looked = await forgetPrompts(sql, { accountId, after: looked.last, rowsMax: tasksMax })
}

/** What closing an account had no time for, and what a request brought that was under way then. Returns how many accounts it looked at. */
export async function forgetClosedPrompts(sql: Sql): Promise<number> {
  const accounts = await listClosedAccounts(sql, closedWithinDays)
  for (const { id } of accounts) await forgetPromptsOf(sql, id)
  return accounts.length
}
