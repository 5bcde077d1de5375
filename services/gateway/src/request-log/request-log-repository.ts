import type { Sql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'

export type NewLoggedRequest = {
  accountId: string
  keyId: string
  /** When it came. */
  at: Date
  method: string
  /** Without its query. */
  path: string
  status: number
  code: string | null
  durationMs: number
  /** 32 hex digits. */
  requestId: string
  taskId: string | null
  /** The body of a refusal, JSON. */
  refusal: string | null
}
export type LoggedRequest = NewLoggedRequest & { id: number }

export type RequestCount = {
  accountId: string
  /** In UTC, as 2026-11-23. */
  day: string
  keyId: string
  method: string
  /** As the gateway declares it, such as /api/v1/tasks/:id. */
  route: string
  status: number
  requests: number
}

/** In one statement. Counts are added in one order, so that two replicas that add to the same rows can't deadlock. */
export async function insertRequests(sql: Sql, requests: NewLoggedRequest[], counts: RequestCount[]): Promise<void> {
  await sql`
    with logged as (
      insert into request_log (account_id, key_id, at, method, path, status, code, duration_ms, request_id, task_id, refusal)
      select "accountId", "keyId", at, method, path, status, code, "durationMs", "requestId", "taskId", refusal
      from ${recordset(
        sql,
        'request',
        {
          ...{ accountId: 'text', keyId: 'text', at: 'timestamptz', method: 'text', path: 'text', status: 'smallint', code: 'text' },
          ...{ durationMs: 'integer', requestId: 'uuid', taskId: 'text', refusal: 'text' },
        },
        requests,
      )}
    )
    insert into request_count as known (account_id, day, key_id, method, route, status, requests)
    select "accountId", day, "keyId", method, route, status, requests
    from ${recordset(
      sql,
      'count',
      {
        ...{ accountId: 'text', day: 'date', keyId: 'text', method: 'text', route: 'text' },
        ...{ status: 'smallint', requests: 'bigint' },
      },
      counts,
    )}
    order by 1, 2, 3, 4, 5, 6
    on conflict (account_id, day, key_id, method, route, status) do update set requests = known.requests + excluded.requests`
}

/** The last request of the page before. */
export type RequestPosition = { at: Date; id: number }

export type RequestFilter = {
  /** One of both is given. */
  accountId: string | null
  requestId: string | null
  result: 'accepted' | 'refused' | null
  code: string | null
  keyId: string | null
  /** Came from then on. */
  from: Date | null
  /** Came before that. */
  to: Date | null
  before: RequestPosition | null
  rowsMax: number
}

/** So many requests are looked at for those of a key or a code, so that a page costs the same however many an account has. */
export const searchedRequestsMax = 10_000

/** Newest first. */
export const listRequests = (sql: Sql, filter: RequestFilter) =>
  sql<LoggedRequest[]>`
    select id, account_id as "accountId", key_id as "keyId", at, method, path, status, code, duration_ms as "durationMs",
           replace(request_id::text, '-', '') as "requestId", task_id as "taskId", refusal
    from (select * from request_log where ${isWithin(sql, filter)} order by at desc, id desc limit ${searchedMax(filter)}) as request
    where true ${filter.code === null ? sql`` : sql`and code = ${filter.code}`} ${filter.keyId === null ? sql`` : sql`and key_id = ${filter.keyId}`}
    order by at desc, id desc limit ${filter.rowsMax}`

/** The last request that a search for a key or a code looks at; undefined where it looks at all. */
export async function findSearchEnd(sql: Sql, filter: RequestFilter): Promise<RequestPosition | undefined> {
  if (!isSearch(filter)) return undefined
  const [last, next] = await sql<RequestPosition[]>`
    select at, id from request_log where ${isWithin(sql, filter)} order by at desc, id desc limit 2 offset ${searchedRequestsMax - 1}`
  return next && last
}

const isSearch = ({ code, keyId }: RequestFilter): boolean => code !== null || keyId !== null
const searchedMax = (filter: RequestFilter): number => (isSearch(filter) ? searchedRequestsMax : filter.rowsMax)

/** Only what is refused has a code. */
const isWithin = (sql: Sql, { accountId, requestId, result, code, from, to, before }: RequestFilter) => sql`
  true ${accountId === null ? sql`` : sql`and account_id = ${accountId}`} ${requestId === null ? sql`` : sql`and request_id = ${requestId}::uuid`}
  ${result === 'refused' || code !== null ? sql`and status >= 400` : sql``} ${result === 'accepted' ? sql`and status < 400` : sql``}
  ${from === null ? sql`` : sql`and at >= ${from}`} ${to === null ? sql`` : sql`and at < ${to}`}
  ${before === null ? sql`` : sql`and (at, id) < (${before.at}, ${before.id})`}`

type Days = { accountId: string; keyId: string | null; from: string; to: string }

/** The requests of an account by day, route and status. `from`: the first day; `to`: the day behind the last. */
export const sumRequests = (sql: Sql, { accountId, keyId, from, to }: Days) =>
  sql<Omit<RequestCount, 'accountId' | 'keyId'>[]>`
    select to_char(day, 'YYYY-MM-DD') as day, method, route, status, sum(requests)::bigint as requests
    from request_count
    where account_id = ${accountId} and request_count.day >= ${from} and request_count.day < ${to}
      ${keyId === null ? sql`` : sql`and key_id = ${keyId}`}
    group by request_count.day, method, route, status order by 1, 2, 3, 4`

/** Deletes up to `rowsMax` requests that came before the last `keptDays`; looks at the oldest alone. Returns how many. */
export async function deleteOldLogged(sql: Sql, keptDays: number, rowsMax: number): Promise<number> {
  const { count } = await sql`
    delete from request_log where id in (
      select id from (select id, at from request_log order by id limit ${rowsMax}) as oldest
      where at < now() - ${keptDays} * interval '1 day')`
  return count
}

export async function deleteOldCounts(sql: Sql, keptDays: number): Promise<void> {
  await sql`delete from request_count where day < (now() at time zone 'UTC')::date - ${keptDays}::int`
}
