import type { Fragment, Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type { Endpoint, EndpointChange } from './endpoint'

const columns = (sql: Sql): Fragment => sql`
  id, account_id as "accountId", url, description, events, failing_since as "failingSince", paused_at as "pausedAt",
  paused_reason as "pausedReason", resumed_at as "resumedAt", resumed_by as "resumedBy", created_at as "createdAt",
  updated_at as "updatedAt"`

/** What the account itself sees and changes. */
const ownOf = (sql: Sql, accountId: string): Fragment => sql`account_id = ${accountId} and deleted_at is null and not callbacks`

export type InsertEndpoint = Pick<Endpoint, 'id' | 'accountId' | 'url' | 'description' | 'events'> & { secret: Uint8Array }

/** Undefined where the account has `max` already; creations of one account wait for each other. */
export async function insertEndpoint(sql: Sql, endpoint: InsertEndpoint, max: number): Promise<Endpoint | undefined> {
  const { id, accountId, url, description, events, secret } = endpoint
  return (await sql.begin(async transaction => {
    const sql = transaction as unknown as Sql
    await sql`select pg_advisory_xact_lock(hashtextextended(${accountId}, 0))`
    const [row] = await sql<Endpoint[]>`
      insert into endpoint (id, account_id, url, description, events, secret)
      select ${id}, ${accountId}, ${url}, ${description}, ${events}::text[], ${secret}
      where (select count(*) from endpoint where ${ownOf(sql, accountId)}) < ${max}
      returning ${columns(sql)}`
    return row
  })) as Endpoint | undefined
}

/** Oldest first; an account has few. */
export const listEndpoints = (sql: Sql, accountId: string) =>
  sql<Endpoint[]>`select ${columns(sql)} from endpoint where ${ownOf(sql, accountId)} order by created_at, id`

/** For operators: with the one that stands for the account's callbacks. */
export const listAllEndpoints = (sql: Sql, accountId: string) =>
  sql<Endpoint[]>`
    select ${columns(sql)} from endpoint where account_id = ${accountId} and deleted_at is null order by created_at, id`

export async function findEndpoint(sql: Sql, accountId: string, id: string): Promise<Endpoint | undefined> {
  const [row] = await sql<Endpoint[]>`select ${columns(sql)} from endpoint where id = ${id} and ${ownOf(sql, accountId)}`
  return row
}

/** For operators, who name no account. */
export async function findEndpointOfAny(sql: Sql, id: string): Promise<Endpoint | undefined> {
  const [row] = await sql<Endpoint[]>`select ${columns(sql)} from endpoint where id = ${id} and deleted_at is null`
  return row
}

/** Failures of another address are none of a new one's. */
export async function updateEndpoint(sql: Sql, accountId: string, id: string, change: EndpointChange): Promise<Endpoint | undefined> {
  const [row] = await sql<Endpoint[]>`
    update endpoint set url = coalesce(${change.url ?? null}, url), description = coalesce(${change.description ?? null}, description),
      events = coalesce(${change.events ?? null}::text[], events), updated_at = now(),
      failing_since = case when coalesce(${change.url ?? null}, url) = url then failing_since end
    where id = ${id} and ${ownOf(sql, accountId)}
    returning ${columns(sql)}`
  return row
}

/** The secret until now signs too, as long as `overlapSeconds`; one that was former already ends. */
export async function updateSecret(
  sql: Sql,
  { accountId, id, secret, overlapSeconds }: { accountId: string; id: string; secret: Uint8Array; overlapSeconds: number },
): Promise<(Endpoint & { formerSecretUntil: Date }) | undefined> {
  const [row] = await sql<(Endpoint & { formerSecretUntil: Date })[]>`
    update endpoint set former_secret = secret, former_secret_until = now() + ${overlapSeconds} * interval '1 second', secret = ${secret},
      updated_at = now()
    where id = ${id} and ${ownOf(sql, accountId)}
    returning ${columns(sql)}, former_secret_until as "formerSecretUntil"`
  return row
}

/** `by`: the operator who does it, null for the account. What is pending is due, and is tried for as long as new deliveries are. */
export async function resumeEndpoint(sql: Sql, id: string, by: string | null): Promise<Endpoint | undefined> {
  return (await sql.begin(async transaction => {
    const sql = transaction as unknown as Sql
    const [row] = await sql<Endpoint[]>`
      update endpoint set paused_at = null, paused_reason = null, pause_notice = null, failing_since = null, resumed_at = now(), resumed_by = ${by},
        due_at = now(), updated_at = now()
      where id = ${id} and deleted_at is null
      returning ${columns(sql)}`
    if (!row) return undefined
    await sql`
      update delivery set due_at = now(), tries = 0
      where endpoint_id = ${id} and status = 'pending' and coalesce(lease_until, '-infinity') <= now()`
    return row
  })) as Endpoint | undefined
}

/** True where there was one. */
export async function markDeleted(sql: Sql, accountId: string, id: string): Promise<boolean> {
  const rows = await sql`
    update endpoint set deleted_at = now(), due_at = null where id = ${id} and ${ownOf(sql, accountId)} returning id`
  return rows.length > 0
}

/** Of accounts that are closed: they take no more events. */
export async function markClosed(sql: TransactionSql, accountIds: string[]): Promise<void> {
  await sql`update endpoint set closed_at = now() where account_id = any(${accountIds}::text[]) and deleted_at is null and closed_at is null`
}

/** Deletes those of closed accounts that have nothing left to send, or are paused: nobody can resume them. */
export async function markClosedDeleted(sql: Sql): Promise<void> {
  await sql`
    update endpoint set deleted_at = now(), due_at = null where id in (
      select id from endpoint where closed_at is not null and deleted_at is null
        and (paused_at is not null or not exists (select from delivery where endpoint_id = endpoint.id and status = 'pending'))
      order by id for no key update)`
}

export async function countPaused(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*) from endpoint where paused_at is not null and deleted_at is null`
  return row?.count ?? 0
}
