import type { Sql } from '@filmgate/kit/database/postgres'

/** An operator's declaration that, until then, what a maker doesn't know of does not exist there. */
export type Closing = { maker: string; reason: string; by: string; minutes: number }
export type ClosingRow = { maker: string; reason: string; by: string; closedAt: Date; closedUntil: Date; inForce: boolean }

const columns = (sql: Sql) => sql`
  maker, reason, closed_by as by, closed_at as "closedAt", closed_until as "closedUntil", closed_until > now() as "inForce"`

export async function insertClosing(sql: Sql, { maker, reason, by, minutes }: Closing): Promise<ClosingRow> {
  const [row] = await sql<[ClosingRow]>`
    insert into maker_closing (maker, reason, closed_by, closed_until) values (${maker}, ${reason}, ${by}, now() + ${minutes} * interval '1 minute')
    returning ${columns(sql)}`
  return row
}

/** The last of each maker. */
export const findLastClosings = (sql: Sql, makers: string[]) =>
  sql<ClosingRow[]>`
    select closing.* from unnest(${makers}::text[]) as named (maker), lateral (
      select ${columns(sql)} from maker_closing where maker_closing.maker = named.maker order by id desc limit 1) as closing`

export async function isClosed(sql: Sql, maker: string): Promise<boolean> {
  const rows = await sql`select 1 from maker_closing where maker = ${maker} and closed_until > now() limit 1`
  return rows.length > 0
}
