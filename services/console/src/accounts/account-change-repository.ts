import type { TransactionSql } from '@filmgate/kit/database/postgres'

export const updateName = (sql: TransactionSql, accountId: string, name: string) =>
  sql`update account set name = ${name} where id = ${accountId}`

/** Marks the account as closed and cancels its pending opening at the gateway. */
export async function markClosed(sql: TransactionSql, accountId: string): Promise<void> {
  await sql`update account set closed_at = now() where id = ${accountId} and closed_at is null`
  await sql`delete from account_opening where account_id = ${accountId}`
}
