import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'

export type AccountRow = { id: string; name: string; available: number; starter: number; createdAt: Date }

const accountColumns = (sql: Sql) => sql`id, name, available, starter, created_at as "createdAt"`

export async function insertAccount(sql: TransactionSql, id: string, name: string): Promise<void> {
  await sql`insert into account (id, name) values (${id}, ${name})`
}

/** Newest first: an account's id sorts by its age. */
export const listAccounts = (
  sql: Sql,
  { nameHas, beforeId, rowsMax }: { nameHas: string | null; beforeId: string | null; rowsMax: number },
) =>
  sql<AccountRow[]>`
    select ${accountColumns(sql)} from account
    where (${beforeId}::text is null or id < ${beforeId}) and (${nameHas}::text is null or position(lower(${nameHas}) in lower(name)) > 0)
    order by id desc limit ${rowsMax}`

export async function findAccount(sql: Sql, id: string): Promise<AccountRow | undefined> {
  const [row] = await sql<AccountRow[]>`select ${accountColumns(sql)} from account where id = ${id}`
  return row
}
