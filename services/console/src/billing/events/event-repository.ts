import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type { Fact } from '../stripe/facts'

type AnySql = Sql | TransactionSql

export type KeptEvent = { id: string; type: string; fact: Fact | null; livemode: boolean; toldAt: Date; appliedAt: Date | null }

/** False where it is kept already: delivered again. */
export async function insertEvent(sql: AnySql, { id, type, fact, livemode, toldAt }: Omit<KeptEvent, 'appliedAt'>): Promise<boolean> {
  const rows = await sql`
    insert into stripe_event (id, type, fact, livemode, told_at, applied_at, outcome)
    values (${id}, ${type}, ${fact && JSON.stringify(fact)}::text::jsonb, ${livemode}, ${toldAt},
      case when ${fact === null} then now() end, case when ${fact === null} then 'not_needed' end)
    on conflict (id) do nothing returning id`
  return rows.length === 1
}

export async function findEvent(sql: AnySql, id: string): Promise<KeptEvent | undefined> {
  const [event] = await sql<KeptEvent[]>`
    select id, type, fact, livemode, told_at as "toldAt", applied_at as "appliedAt" from stripe_event where id = ${id}`
  return event
}

export const markApplied = (sql: AnySql, id: string, outcome: string) =>
  sql`update stripe_event set applied_at = now(), outcome = ${outcome} where id = ${id}`

/** Stripe tells for three days at most, and shows its events for thirty. */
export const deleteEventsBefore = (sql: Sql, before: Date) =>
  sql`delete from stripe_event where received_at < ${before} and applied_at is not null`
