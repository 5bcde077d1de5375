import type { Sql, TransactionSql } from '../database/postgres'

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

/** Published from `since` on and before `until`; of one topic or of all. */
export type PublishedWindow = { topic: string | undefined; since: Date; until: Date }

const within = (sql: Sql, { topic, since, until }: PublishedWindow) => sql`
  published_at >= ${since} and published_at < ${until} ${topic === undefined ? sql`` : sql`and topic = ${topic}`}`

export async function countPublished(sql: Sql, window: PublishedWindow, rowsMax: number): Promise<number> {
  const [row] = await sql<{ rows: number }[]>`
    select count(*)::float8 as rows from (select from outbox_published where ${within(sql, window)} limit ${rowsMax}) as counted`
  return row?.rows ?? 0
}

/**
 * Puts a portion back into the outbox, oldest first, and returns how many. They wait from now on: their age says how long the broker has not
 * taken them, and not when they happened.
 */
export async function movePublishedBack(sql: Sql, window: PublishedWindow, rowsMax: number): Promise<number> {
  const { count } = await sql`
    with again as (
      select ctid from outbox_published where ${within(sql, window)}
      order by published_at, id limit ${rowsMax} for update skip locked
    ), gone as (
      delete from outbox_published using again where outbox_published.ctid = again.ctid returning id, topic, key, value, headers
    )
    insert into outbox (id, topic, key, value, headers) select id, topic, key, value, headers from gone on conflict (id) do nothing`
  return count
}
