import type { Sql } from '@filmgate/kit/database/postgres'

/** An operator's declaration that, until then, what a provider doesn't know of does not exist there. */
export type Closing = { provider: string; reason: string; by: string; minutes: number }
export type ClosingRow = { provider: string; reason: string; by: string; closedAt: Date; closedUntil: Date; inForce: boolean }

const columns = (sql: Sql) => sql`
  provider, reason, closed_by as by, closed_at as "closedAt", closed_until as "closedUntil", closed_until > now() as "inForce"`

export async function insertClosing(sql: Sql, { provider, reason, by, minutes }: Closing): Promise<ClosingRow> {
  const [row] = await sql<[ClosingRow]>`
    insert into provider_closing (provider, reason, closed_by, closed_until) values (${provider}, ${reason}, ${by}, now() + ${minutes} * interval '1 minute')
    returning ${columns(sql)}`
  return row
}

/** The last of each provider. */
export const findLastClosings = (sql: Sql, providers: string[]) =>
  sql<ClosingRow[]>`
    select closing.* from unnest(${providers}::text[]) as named (provider), lateral (
      select ${columns(sql)} from provider_closing where provider_closing.provider = named.provider order by id desc limit 1) as closing`

export async function isClosed(sql: Sql, provider: string): Promise<boolean> {
  const rows = await sql`select 1 from provider_closing where provider = ${provider} and closed_until > now() limit 1`
  return rows.length > 0
}
