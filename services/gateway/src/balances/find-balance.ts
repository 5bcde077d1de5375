import type { Sql } from '@filmgate/kit/database/postgres'
import { type BatchedRead, createBatchedRead } from '../database/batched-read'
import { type Balance, findBalances } from './balance-repository'

export type FindBalance = BatchedRead<string, Balance | undefined>

/** An account's balances as the ledger last told them; reads of one moment share a statement. */
export function createFindBalance(sql: Sql): FindBalance {
  return createBatchedRead<string, Balance | undefined>(async ids => {
    const found = new Map((await findBalances(sql, [...new Set(ids)])).map(balance => [balance.accountId, balance]))
    return ids.map(id => found.get(id))
  })
}
