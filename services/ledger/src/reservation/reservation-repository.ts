import type { Sql, TransactionSql } from '@filmgate/kit/postgres'
import { recordset } from '@filmgate/kit/recordset'
import type { Reservation } from './reservation'

/** The reservations of these tasks; whoever holds the lock of their account may rely on them. */
export async function findReservations(sql: Sql | TransactionSql, taskIds: string[]): Promise<Map<string, Reservation>> {
  const rows = await sql<Reservation[]>`
    select task_id as "taskId", account_id as "accountId", surface, paid, starter, price_version as "priceVersion", state,
           (extract(epoch from reserved_at) * 1000)::float8 as "reservedAtMs", (extract(epoch from changed_at) * 1000)::float8 as "changedAtMs",
           reserved_available as "reservedAvailable", reserved_version as "reservedVersion",
           refunded_available as "refundedAvailable", refunded_version as "refundedVersion"
    from reservation where task_id = any(${taskIds}::text[])`
  return new Map(rows.map(row => [row.taskId, row]))
}

/** What told of these reservations, where they are open and not of an earlier version. */
export async function findReservedEvents(sql: TransactionSql, taskIds: string[]): Promise<Map<string, Uint8Array>> {
  const rows = await sql<{ taskId: string; event: Uint8Array }[]>`
    select task_id as "taskId", reserved_event as event from reservation where task_id = any(${taskIds}::text[]) and reserved_event is not null`
  return new Map(rows.map(({ taskId, event }) => [taskId, event]))
}

export const insertReservations = (sql: TransactionSql, reservations: Reservation[], nowMs: number) => sql`
  insert into reservation (task_id, account_id, surface, paid, starter, price_version, state, refunded, reserved_at, changed_at, ended_at,
                           reserved_event, reserved_available, reserved_version, refunded_available, refunded_version)
  select "taskId", "accountId", surface, paid, starter, "priceVersion", state,
         case when state = 'refunded' then paid + starter else 0 end, at, at, case when state in ('settled', 'refunded') then at end,
         case when state not in ('settled', 'refunded') then decode("reservedEvent", 'hex') end,
         "reservedAvailable", "reservedVersion", "refundedAvailable", "refundedVersion"
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
      reservedEvent: 'text',
      reservedAvailable: 'bigint',
      reservedVersion: 'bigint',
      refundedAvailable: 'bigint',
      refundedVersion: 'bigint',
    },
    reservations.map(one => ({ ...one, reservedEvent: one.reservedEvent && Buffer.from(one.reservedEvent).toString('hex') })),
  )}
  cross join (select to_timestamp(${nowMs}::float8 / 1000) as at) as moment`

/** Moves reservations to the states decided under their accounts' locks. */
export const moveReservations = (sql: TransactionSql, reservations: Reservation[], nowMs: number) => sql`
  update reservation set
    state = row.state,
    refunded = case when row.state = 'refunded' then reservation.paid + reservation.starter else 0 end,
    changed_at = to_timestamp(${nowMs}::float8 / 1000),
    ended_at = case when row.state in ('settled', 'refunded') then to_timestamp(${nowMs}::float8 / 1000) end,
    reserved_event = case when row.state not in ('settled', 'refunded') then reservation.reserved_event end,
    refunded_available = row."refundedAvailable",
    refunded_version = row."refundedVersion"
  from ${recordset(sql, 'row', { taskId: 'text', state: 'reservation_state', refundedAvailable: 'bigint', refundedVersion: 'bigint' }, reservations)}
  where reservation.task_id = row."taskId"`

export type PendingRefund = Pick<Reservation, 'taskId' | 'accountId'> & { changedAt: Date }

/** Refunds that wait to be posted, the longest waiting first, from after `last`. */
export const findPendingRefunds = (sql: Sql, limit: number, last?: PendingRefund) => sql<PendingRefund[]>`
  select task_id as "taskId", account_id as "accountId", changed_at as "changedAt" from reservation
  where state = 'refund_pending'
    and (${last?.changedAt ?? null}::timestamptz is null or (changed_at, task_id) > (${last?.changedAt ?? null}, ${last?.taskId ?? null}))
  order by changed_at, task_id limit ${limit}`

export type ReservationRow = Pick<Reservation, 'taskId' | 'accountId' | 'surface' | 'paid' | 'starter' | 'priceVersion' | 'state'> & {
  refunded: number
  reservedAt: Date
  changedAt: Date
  endedAt: Date | null
}

export async function findReservation(sql: Sql, taskId: string): Promise<ReservationRow | undefined> {
  const [row] = await sql<ReservationRow[]>`
    select task_id as "taskId", account_id as "accountId", surface, paid, starter, price_version as "priceVersion", state, refunded,
           reserved_at as "reservedAt", changed_at as "changedAt", ended_at as "endedAt"
    from reservation where task_id = ${taskId}`
  return row
}

/** An account's open reservations, newest first. */
export const findOpenReservations = (sql: Sql, accountId: string) => sql<ReservationRow[]>`
  select task_id as "taskId", account_id as "accountId", surface, paid, starter, price_version as "priceVersion", state, refunded,
         reserved_at as "reservedAt", changed_at as "changedAt", ended_at as "endedAt"
  from reservation where account_id = ${accountId} and state in ('reserved', 'review', 'refund_pending') order by reserved_at desc`
