import type { TransactionSql } from '@filmgate/kit/database/postgres'

export const updateName = (sql: TransactionSql, accountId: string, name: string) =>
  sql`update account set name = ${name} where id = ${accountId}`

/** Nobody enters it any more, and nothing more is asked of the gateway for it. */
export async function markClosed(sql: TransactionSql, accountId: string): Promise<void> {
  await sql`update account set closed_at = now() where id = ${accountId} and closed_at is null`
  await sql`delete from account_opening where account_id = ${accountId}`
}
