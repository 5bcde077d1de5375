import type { Sql } from '@filmgate/kit/database/postgres'

export type AuditEntry = {
  id: number
  email: string
  action: string
  subject: string | null
  details: Record<string, string | number | boolean | null>
  address: string | null
  at: Date
}

export type AuditFilter = {
  /** The whole address of who did it. */
  email: string | null
  /** What an action was done to, as its name begins: `key` of `key.created`. */
  objects: string[] | null
  from: Date | null
  to: Date | null
}

const allEntries: AuditFilter = { email: null, objects: null, from: null, to: null }

/** So many entries are looked at for a page, so that it costs the same however many an account has. */
const searchedEntriesMax = 10_000

type Slice = { beforeId: number | null; limit: number }

/** Newest first, with ids below `beforeId`. */
export const listAuditEntries = (sql: Sql, accountId: string, { beforeId, limit }: Slice, filter = allEntries) =>
  sql<AuditEntry[]>`
    select id, person_email as email, act as action, subject, details, address, at
    from (${newest(sql, accountId, beforeId, isFiltered(filter) ? searchedEntriesMax : limit)}) as entry
    where true ${matches(sql, filter)} order by id desc limit ${limit}`

/** A page of `limit` entries. `next`: where it goes on, also where no more were found among those that it looked at. */
export async function findAuditPage(sql: Sql, accountId: string, { beforeId, limit }: Slice, filter: AuditFilter) {
  const rows = await listAuditEntries(sql, accountId, { beforeId, limit: limit + 1 }, filter)
  const entries = rows.slice(0, limit)
  if (rows.length > limit) return { entries, next: entries.at(-1)?.id ?? null }
  return { entries, next: isFiltered(filter) ? await findSearchEnd(sql, accountId, beforeId) : null }
}

/** The last entry that a search looks at; null where it looks at all. */
async function findSearchEnd(sql: Sql, accountId: string, beforeId: number | null): Promise<number | null> {
  const [last, more] = await sql<{ id: number }[]>`
    select id from (${newest(sql, accountId, beforeId, searchedEntriesMax + 1)}) as entry order by id desc offset ${searchedEntriesMax - 1}`
  return last && more ? last.id : null
}

const newest = (sql: Sql, accountId: string, beforeId: number | null, rowsMax: number) => sql`
  select * from audit_act where account_id = ${accountId} ${beforeId === null ? sql`` : sql`and id < ${beforeId}`} order by id desc limit ${rowsMax}`

const isFiltered = (filter: AuditFilter): boolean => Object.values(filter).some(value => value !== null)

const matches = (sql: Sql, { email, objects, from, to }: AuditFilter) => sql`
  ${email === null ? sql`` : sql`and lower(person_email) = lower(${email})`}
  ${objects === null ? sql`` : sql`and split_part(act, '.', 1) = any(${objects})`}
  ${from === null ? sql`` : sql`and at >= ${from}`} ${to === null ? sql`` : sql`and at < ${to}`}`
