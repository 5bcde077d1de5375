import type { Sql, TransactionSql } from '../postgres'

/** Takes published rows off the outbox and keeps them beside it, in one statement: of several that try, one has them. */
export async function movePublished(sql: Sql | TransactionSql, ids: string[]): Promise<void> {
  await sql`
    with gone as (delete from outbox where id = any(${ids}::uuid[]) returning id, topic, key, value, headers)
    insert into outbox_published (id, topic, key, value, headers) select id, topic, key, value, headers from gone`
}

/** Deletes a portion of what was published longer ago, oldest first, and returns how many; rows another process deletes are left to it. */
export async function deleteOldPublished(sql: Sql, ageHours: number, rowsMax: number): Promise<number> {
  const { count } = await sql`
    with old as (
      select ctid from outbox_published where published_at < now() - ${ageHours} * interval '1 hour'
      order by published_at limit ${rowsMax} for update skip locked
    )
    delete from outbox_published using old where outbox_published.ctid = old.ctid`
  return count
}
