import type { Fragment, Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import { type Reservation, reviewCountsMsMax } from '../books/reservation'
import { type OpenState, openStates } from '../books/reservation-states'

/** A version before leaves a review's column null. */
const countsUntil = (sql: Sql | TransactionSql): Fragment =>
  sql`coalesce(counts_until, case when state = 'review' then changed_at + ${reviewCountsMsMax}::float8 * interval '1 millisecond' end)`

const columns = (sql: Sql | TransactionSql): Fragment => sql`
  task_id as "taskId", account_id as "accountId", surface, paid, starter, price_version as "priceVersion", state, refunded,
  spend_day as "spendDay", key_id as "keyId", member_id as "memberId",
  (extract(epoch from reserved_at) * 1000)::float8 as "reservedAtMs", (extract(epoch from changed_at) * 1000)::float8 as "changedAtMs",
  (extract(epoch from ${countsUntil(sql)}) * 1000)::float8 as "countsUntilMs",
  reserved_available as "reservedAvailable", reserved_version as "reservedVersion",
  refunded_available as "refundedAvailable", refunded_version as "refundedVersion"`

/** The reservations of these tasks. They don't change while the caller holds the lock of their account. */
export async function findReservations(sql: Sql | TransactionSql, taskIds: string[]): Promise<Map<string, Reservation>> {
  const rows = await sql<Reservation[]>`select ${columns(sql)} from reservation where task_id = any(${taskIds}::text[])`
  return new Map(rows.map(row => [row.taskId, row]))
}

/** All reservations of these accounts that count towards their limits, as `countsAt` has it; read under the accounts' locks. */
export async function findUnfinished(sql: TransactionSql, accountIds: string[], nowMs: number): Promise<Map<string, Reservation>> {
  const rows = await sql<Reservation[]>`
    select ${columns(sql)} from reservation
    where account_id = any(${accountIds}::text[]) and state in ('reserved', 'review', 'refund_pending')
      and coalesce(${countsUntil(sql)} > to_timestamp(${nowMs}::float8 / 1000), true)`
  return new Map(rows.map(row => [row.taskId, row]))
}

/** The CreditsReserved events of these reservations as they were published; none of ended ones, nor of those an earlier version made. */
export async function findReservedEvents(sql: TransactionSql, taskIds: string[]): Promise<Map<string, Uint8Array>> {
  const rows = await sql<{ taskId: string; event: Uint8Array }[]>`
    select task_id as "taskId", reserved_event as event from reservation where task_id = any(${taskIds}::text[]) and reserved_event is not null`
  return new Map(rows.map(({ taskId, event }) => [taskId, event]))
}

export const insertReservations = (sql: TransactionSql, reservations: Reservation[], nowMs: number) => sql`
  insert into reservation (task_id, account_id, surface, paid, starter, price_version, state, refunded, reserved_at, changed_at, ended_at, counts_until,
                           reserved_event, reserved_available, reserved_version, refunded_available, refunded_version, spend_day, key_id, member_id, request)
  select "taskId", "accountId", surface, paid, starter, "priceVersion", state,
         refunded, at, at, case when state in ('settled', 'refunded') then at end, to_timestamp("countsUntilMs" / 1000),
         case when state not in ('settled', 'refunded') then decode("reservedEvent", 'hex') end,
         "reservedAvailable", "reservedVersion", "refundedAvailable", "refundedVersion", "spendDay", "keyId", "memberId", decode(request, 'hex')
  from ${recordset(
    sql,
    'row',
    {
      taskId: 'text',
      accountId: 'text',
      surface: 'generation_surface',
      paid: 'bigint',
      starter: 'bigint',
      priceVersion: 'text',
      state: 'reservation_state',
      refunded: 'bigint',
      countsUntilMs: 'float8',
      reservedEvent: 'text',
      reservedAvailable: 'bigint',
      reservedVersion: 'bigint',
      refundedAvailable: 'bigint',
      refundedVersion: 'bigint',
      ...{ spendDay: 'text', keyId: 'text', memberId: 'text', request: 'text' },
    },
    reservations.map(one => ({ ...one, reservedEvent: hexOf(one.reservedEvent), request: hexOf(one.request) })),
  )}
  cross join (select to_timestamp(${nowMs}::float8 / 1000) as at) as moment`

const hexOf = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex')

/** Writes the states that were decided under their accounts' locks. */
export const updateReservations = (sql: TransactionSql, reservations: Reservation[], nowMs: number) => sql`
  update reservation set
    state = row.state,
    refunded = row.refunded,
    changed_at = to_timestamp(${nowMs}::float8 / 1000),
    ended_at = case when row.state in ('settled', 'refunded') then to_timestamp(${nowMs}::float8 / 1000) end,
    counts_until = to_timestamp(row."countsUntilMs" / 1000),
    reserved_event = case when row.state not in ('settled', 'refunded') then reservation.reserved_event end,
    refunded_available = row."refundedAvailable",
    refunded_version = row."refundedVersion"
  from ${recordset(
    sql,
    'row',
    {
      ...{ taskId: 'text', state: 'reservation_state', refunded: 'bigint', countsUntilMs: 'float8' },
      ...{ refundedAvailable: 'bigint', refundedVersion: 'bigint' },
    },
    reservations,
  )}
  where reservation.task_id = row."taskId"`

export type PendingRefund = Pick<Reservation, 'taskId' | 'accountId'> & { changedAt: Date }

/** Pending refunds after `last`, those that are pending longest first. */
export const findPendingRefunds = (sql: Sql, limit: number, last?: PendingRefund) => sql<PendingRefund[]>`
  select task_id as "taskId", account_id as "accountId", changed_at as "changedAt" from reservation
  where state = 'refund_pending'
    and (${last?.changedAt ?? null}::timestamptz is null or (changed_at, task_id) > (${last?.changedAt ?? null}, ${last?.taskId ?? null}))
  order by changed_at, task_id limit ${limit}`

export type ReservationRow = Pick<
  Reservation,
  'taskId' | 'accountId' | 'surface' | 'paid' | 'starter' | 'priceVersion' | 'state' | 'refunded'
> & {
  reservedAt: Date
  changedAt: Date
  endedAt: Date | null
  countsUntil: Date | null
}

export async function findReservation(sql: Sql, taskId: string): Promise<ReservationRow | undefined> {
  const [row] = await sql<ReservationRow[]>`
    select task_id as "taskId", account_id as "accountId", surface, paid, starter, price_version as "priceVersion", state, refunded,
           reserved_at as "reservedAt", changed_at as "changedAt", ended_at as "endedAt", ${countsUntil(sql)} as "countsUntil"
    from reservation where task_id = ${taskId}`
  return row
}

/** An account's open reservations, newest first. */
export const findOpenReservations = (sql: Sql, accountId: string) => sql<ReservationRow[]>`
  select task_id as "taskId", account_id as "accountId", surface, paid, starter, price_version as "priceVersion", state, refunded,
         reserved_at as "reservedAt", changed_at as "changedAt", ended_at as "endedAt", ${countsUntil(sql)} as "countsUntil"
  from reservation where account_id = ${accountId} and state in ('reserved', 'review', 'refund_pending') order by reserved_at desc`

export type OpenReservations = { state: OpenState; count: number; oldestSeconds: number }

/** How many reservations each open state holds, and for how long the oldest has been in it. */
export const measureOpen = (sql: Sql) => sql<OpenReservations[]>`
  select state, count(*)::float8 as count, extract(epoch from now() - min(changed_at))::float8 as "oldestSeconds"
  from reservation where state = any(${[...openStates]}::reservation_state[]) group by state`

/** The requests of these reservations; none of those that a gateway of an earlier version asked for. */
export async function findRequests(sql: TransactionSql, taskIds: string[]): Promise<Map<string, Uint8Array>> {
  const rows = await sql<{ taskId: string; request: Uint8Array }[]>`
    select task_id as "taskId", request from reservation where task_id = any(${taskIds}::text[]) and request is not null`
  return new Map(rows.map(({ taskId, request }) => [taskId, request]))
}

type Since = { since: Date; after: string; rowsMax: number }

/** Reservations behind `after` that were made or changed since then, in the order of their ids, which is that of their tasks' beginning. */
export const listReservationsSince = (sql: Sql, { since, after, rowsMax }: Since) =>
  sql<Pick<Reservation, 'taskId' | 'accountId'>[]>`
    select task_id as "taskId", account_id as "accountId" from reservation
    where task_id > ${after} and changed_at >= ${since} order by task_id limit ${rowsMax}`
