import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import type { FindBalance } from '../balances/find-balance'
import type { Reason } from '../errors'
import { type AwaitedChange, findAwaited, insertAwaited } from './awaited-change-repository'
import { type NewChange, sameTerms, wordsOf } from './credit-change'
import { findChange } from './credit-change-repository'

export type AwaitDeps = {
  sql: Sql
  findBalance: FindBalance
  /** The credits that one operator may move with one grant or debit; undefined: any. */
  grantLimit?: number | undefined
}

/**
 * Keeps a change above the limit until another operator approves it, once for its id; moves nothing. Undefined where the change needs nobody
 * else: at most the limit, approved, or asked of the ledger before there was a limit. 409 where the id waits with other terms.
 */
export async function awaitSecond(deps: AwaitDeps, change: NewChange): Promise<AwaitedChange | undefined> {
  if (deps.grantLimit === undefined || change.credits <= deps.grantLimit || (await findChange(deps.sql, change.id))) return undefined
  if (!(await deps.findBalance(change.accountId))) throw new Failure<Reason>('account_not_found')
  await insertAwaited(deps.sql, change)
  const known = await findAwaited(deps.sql, change.id)
  if (!known) throw new Failure<Reason>('internal_error', { internal: `the awaited change ${change.id} is gone` })
  if (!sameTerms(change, known)) throw new Failure<Reason>('change_id_reused', { details: { id: known.id, known: wordsOf(known) } })
  return known.approvedBy === null ? known : undefined
}
