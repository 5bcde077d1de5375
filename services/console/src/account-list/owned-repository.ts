import type { TransactionSql } from '@filmgate/kit/database/postgres'

/**
 * Counts the open accounts that a person owns. Locks the person, so that concurrent calls see each other's accounts.
 */
export async function countOwnedLocked(sql: TransactionSql, personId: string): Promise<number> {
  await sql`select id from person where id = ${personId} for no key update`
  const [row] = await sql<{ owned: number }[]>`
    select count(*)::int as owned from membership join account on account.id = membership.account_id
    where membership.person_id = ${personId} and membership.role = 'owner' and account.closed_at is null`
  return row?.owned ?? 0
}
