import type { TransactionSql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../errors'
import { lockAccount } from './account-repository'

/** Locks an account until the transaction ends. Refuses one that there is not (404), or that is closed (409). */
export async function lockOpenAccount(sql: TransactionSql, id: string): Promise<void> {
  const account = await lockAccount(sql, id)
  if (!account) throw new Failure<Reason>('account_not_found')
  if (account.closedAt) throw new Failure<Reason>('account_closed')
}
