import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'

export type Attempts = { count: number; endsAt: Date }

/** Counts an attempt and returns the count of the current window. */
export async function countAttempt(sql: Sql | TransactionSql, key: string, windowMs: number): Promise<Attempts> {
  const [row] = await sql<[Attempts]>`
    insert into tries as before (key, count, ends_at) values (${key}, 1, now() + ${windowMs} * interval '1 millisecond')
    on conflict (key) do update set
      count = case when before.ends_at <= now() then 1 else before.count + 1 end,
      ends_at = case when before.ends_at <= now() then excluded.ends_at else before.ends_at end
    returning count, ends_at as "endsAt"`
  return row
}

export const deleteAttempts = (sql: Sql, key: string) => sql`delete from tries where key = ${key}`

export const deleteExpiredAttempts = (sql: Sql) => sql`delete from tries where ends_at < now()`
