import type { Fragment, Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import type { EventType } from '../endpoints/endpoint'
import type { Delivery, DeliveryStatus } from './delivery'

const columns = (sql: Sql | TransactionSql): Fragment =>
  sql`id, seq, event, task_id as "taskId", status, attempts, due_at as "dueAt", created_at as "createdAt"`

export type InsertDelivery = {
  id: string
  endpointId: string
  eventId: string
  event: Delivery['event']
  taskId: string | null
  body: string
}

/** `callbacks`: stands for the account's callbacks, and takes the events of their tasks alone. */
export type LockedEndpoint = { id: string; accountId: string; events: EventType[]; callbacks: boolean; createdAt: Date }

/**
 * The endpoints of these accounts that take part in events, locked: whoever changes deliveries holds the endpoint first. One created after
 * an event is not told of it.
 */
export const lockEndpointsOf = (sql: TransactionSql, accountIds: string[]) =>
  sql<LockedEndpoint[]>`
    select id, account_id as "accountId", events, callbacks, created_at as "createdAt" from endpoint
    where account_id = any(${accountIds}::text[]) and deleted_at is null and closed_at is null
    order by id for no key update`

export async function lockEndpoint(sql: TransactionSql, endpointId: string): Promise<void> {
  await sql`select 1 from endpoint where id = ${endpointId} for no key update`
}

/** False where another replay of the endpoint's account is running: it holds the lock until its transaction ends. */
export async function tryLockReplay(sql: TransactionSql, endpointId: string): Promise<boolean> {
  const [row] = await sql<{ locked: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended('replay ' || account_id, 0)) as locked from endpoint where id = ${endpointId}`
  return row?.locked ?? false
}

/** One that waits behind another of its task is due when that one is. What is there already is left alone. Returns the new ones' ids. */
export async function insertDeliveries(sql: TransactionSql, deliveries: InsertDelivery[], retryForSeconds: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    insert into delivery (id, endpoint_id, event_id, event, task_id, body, give_up_at, due_at)
    select new.id, new."endpointId", new."eventId", new.event, new."taskId", new.body, now() + ${retryForSeconds} * interval '1 second',
      greatest(now(), (
        select max(before.due_at) from delivery before
        where before.endpoint_id = new."endpointId" and before.task_id = new."taskId" and before.status = 'pending'))
    from ${recordset(
      sql,
      'new',
      { id: 'text', endpointId: 'text', eventId: 'text', event: 'text', taskId: 'text', body: 'text' },
      deliveries,
    )}
    on conflict (endpoint_id, event_id) do nothing
    returning id`
  return rows.map(row => row.id)
}

/** Tests of the endpoint within the last hour. */
export async function countTests(sql: TransactionSql, endpointId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from delivery
    where endpoint_id = ${endpointId} and created_at > now() - interval '1 hour' and event = 'webhook.test'`
  return row?.count ?? 0
}

/** Has endpoints looked at for what is due of theirs. */
export async function markDue(sql: TransactionSql, endpointIds: string[]): Promise<void> {
  await sql`update endpoint set due_at = least(due_at, now()) where id = any(${endpointIds}::text[])`
}

export type ListFilter = { endpointId: string; status: DeliveryStatus | null; beforeSeq: number | null; limit: number }

/** Newest first. */
export const listDeliveries = (sql: Sql, { endpointId, status, beforeSeq, limit }: ListFilter) =>
  sql<Delivery[]>`
    select ${columns(sql)} from delivery
    where endpoint_id = ${endpointId} and (${status}::text is null or status = ${status})
      and (${beforeSeq}::bigint is null or seq < ${beforeSeq})
    order by seq desc limit ${limit}`

export async function findDelivery(sql: Sql | TransactionSql, endpointId: string, id: string): Promise<Delivery | undefined> {
  const [row] = await sql<Delivery[]>`select ${columns(sql)} from delivery where id = ${id} and endpoint_id = ${endpointId}`
  return row
}

/** Those of the endpoint that are to be sent again, oldest first; one that is due or being sent is left alone. */
export type Span = { deliveryId: string } | { from: Date; to: Date }

/** Has them sent again from now on, at most `limit`; returns how many there are. One that waits for a later attempt is due at once. */
export async function replayDeliveries(
  sql: TransactionSql,
  endpointId: string,
  span: Span,
  { retryForSeconds, limit }: { retryForSeconds: number; limit: number },
): Promise<number> {
  const which =
    'deliveryId' in span
      ? sql`id = ${span.deliveryId}`
      : sql`created_at >= ${span.from.toISOString()}::timestamptz and created_at < ${span.to.toISOString()}::timestamptz`
  const rows = await sql`
    update delivery set status = 'pending', tries = 0, due_at = now(), give_up_at = now() + ${retryForSeconds} * interval '1 second'
    where id in (
      select id from delivery where endpoint_id = ${endpointId} and ${which} and coalesce(lease_until, '-infinity') <= now()
        and not (status = 'pending' and due_at <= now())
      order by created_at, seq limit ${limit})
    returning id`
  return rows.length
}

const portion = 1_000

/** Deletes a portion of what is older than so many days, or of a deleted endpoint; returns how many. */
export async function deleteOldDeliveries(sql: Sql, keptDays: number): Promise<number> {
  const rows = await sql`
    delete from delivery where id in (
      select id from delivery where created_at < now() - ${keptDays} * interval '1 day' order by created_at limit ${portion})
    returning id`
  return rows.length
}

export async function deleteDeliveriesOfDeleted(sql: Sql): Promise<number> {
  const rows = await sql`
    delete from delivery where id in (
      select delivery.id from endpoint cross join lateral (
        select id from delivery where endpoint_id = endpoint.id limit ${portion}
      ) delivery where endpoint.deleted_at is not null limit ${portion})
    returning id`
  return rows.length
}

/** Those without a delivery or a callback left. */
export async function deleteEmptyEndpoints(sql: Sql): Promise<void> {
  await sql`
    delete from endpoint where deleted_at < now() - interval '1 minute'
      and not exists (select from delivery where endpoint_id = endpoint.id)
      and not exists (select from callback where endpoint_id = endpoint.id)`
}

/** How long the endpoint that has waited longest is past its time: it grows where this service is too slow, or stands. */
export async function findOverdueSeconds(sql: Sql): Promise<number> {
  const [row] = await sql<{ seconds: number }[]>`
    select coalesce(max(extract(epoch from now() - due_at)), 0)::float8 as seconds from (
      (select due_at from endpoint where prompt and due_at <= now() and paused_at is null and deleted_at is null order by due_at limit 1)
      union all
      (select due_at from endpoint where not prompt and due_at <= now() and paused_at is null and deleted_at is null
        order by due_at limit 1)) overdue`
  return row?.seconds ?? 0
}
