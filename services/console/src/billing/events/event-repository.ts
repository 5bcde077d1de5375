import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type { Reversal } from '../changes/plan-reversals'
import type { Fact } from '../stripe/facts'

type AnySql = Sql | TransactionSql

export type StoredEvent = { id: string; type: string; fact: Fact | null; livemode: boolean; observedAt: Date; appliedAt: Date | null }

/** False if the event was stored before. */
export async function insertEvent(sql: AnySql, { id, type, fact, livemode, observedAt }: Omit<StoredEvent, 'appliedAt'>): Promise<boolean> {
  const rows = await sql`
    insert into stripe_event (id, type, fact, livemode, told_at, applied_at, outcome)
    values (${id}, ${type}, ${fact && JSON.stringify(fact)}::text::jsonb, ${livemode}, ${observedAt},
      case when ${fact === null} then now() end, case when ${fact === null} then 'not_needed' end)
    on conflict (id) do nothing returning id`
  return rows.length === 1
}

export async function findEvent(sql: AnySql, id: string): Promise<StoredEvent | undefined> {
  const [event] = await sql<StoredEvent[]>`
    select id, type, fact, livemode, told_at as "observedAt", applied_at as "appliedAt" from stripe_event where id = ${id}`
  return event
}

export const markApplied = (sql: AnySql, id: string, outcome: string) =>
  sql`update stripe_event set applied_at = now(), outcome = ${outcome} where id = ${id}`

/** Stripe retries for three days at most and lists its events for thirty. */
export const deleteEventsBefore = (sql: Sql, before: Date) =>
  sql`delete from stripe_event where received_at < ${before} and applied_at is not null`

/** Age in seconds of the oldest event that is not applied; 0 if there is none. */
export async function oldestUnappliedSeconds(sql: Sql): Promise<number> {
  const [row] = await sql<{ seconds: number }[]>`
    select coalesce(extract(epoch from now() - min(received_at)), 0)::float8 as seconds from stripe_event where applied_at is null`
  return row?.seconds ?? 0
}

export type UnmatchedPayment = { amount: number; currency: string; reversals: Reversal[] }

/** Payments that granted no credits, each once, with their reversals. In the other mode only live payments count. */
export const listUnmatched = (sql: Sql, limit: number) =>
  sql<UnmatchedPayment[]>`
    select distinct on (payment) (fact ->> 'amount')::float8 as amount, fact ->> 'currency' as currency,
      (select coalesce(json_agg(json_build_object(
         'id', id, 'kind', kind, 'amount', amount, 'currency', currency, 'converted', converted_amount, 'status', status, 'counted', counted, 'changes', changes
       ) order by created_at, id), '[]') from reversal where payment_intent_id = payment) as reversals
    from stripe_event, coalesce(fact ->> 'paymentIntentId', id) payment
    where outcome in ('no_such_purchase', 'second_payment', 'other_mode') and (outcome <> 'other_mode' or livemode)
      and (fact ->> 'kind' = 'payment' or fact ->> 'isPaid' = 'true') and (fact ->> 'amount')::float8 > 0
    order by payment, stripe_event.id limit ${limit}`
