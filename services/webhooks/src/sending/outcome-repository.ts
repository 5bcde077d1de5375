import type { TransactionSql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import type { Attempt, DeliveryStatus } from '../deliveries/delivery'
import type { Health } from './judge-attempt'

export const lockEndpoints = (sql: TransactionSql, ids: string[]) =>
  sql<{ id: string; callbacks: boolean; prompt: boolean; failingSince: Date | null }[]>`
    select id, callbacks, prompt, failing_since as "failingSince" from endpoint where id = any(${ids}::text[]) order by id for no key update`

export type Outcome = { id: string; epoch: number; status: DeliveryStatus; runAfterMs: number; attempt: Attempt }

/** The newest of each delivery: a page of a hundred deliveries stays below 2 MB. */
const attemptsKeptMax = 20

/** Ends or reschedules deliveries held at their epochs, and those that wait behind them in their task; returns the ids that were held. */
export async function updateDeliveries(sql: TransactionSql, outcomes: Outcome[]): Promise<Set<string>> {
  const held = await sql<{ id: string }[]>`
    update delivery set status = held.status, lease_until = null, tries = tries + 1,
      due_at = now() + held."runAfterMs" * interval '1 millisecond',
      attempts = case when jsonb_array_length(attempts) < ${attemptsKeptMax} then attempts else attempts - 0 end || held.attempt
    from ${recordset(sql, 'held', { id: 'text', epoch: 'bigint', status: 'text', runAfterMs: 'float8', attempt: 'jsonb' }, outcomes)}
    where delivery.id = any(${outcomes.map(({ id }) => id)}::text[])
      and delivery.id = held.id and delivery.epoch = held.epoch and lease_until is not null
    returning delivery.id`
  const ids = held.map(({ id }) => id)
  const waiting = await listWaiting(sql, ids)
  if (waiting.length > 0)
    await sql`
      update delivery set due_at = case before.status when 'pending' then before.due_at else now() end
      from delivery before
      where delivery.id = any(${waiting}::text[]) and before.id = any(${ids}::text[])
        and delivery.endpoint_id = before.endpoint_id and delivery.task_id = before.task_id`
  return new Set(ids)
}

/** The pending deliveries behind these in their tasks. Each is looked up by its index: a join would read all that is pending. */
export async function listWaiting(sql: TransactionSql, ids: string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select waiting.id from delivery before cross join lateral (
      select id from delivery
      where endpoint_id = before.endpoint_id and task_id = before.task_id and status = 'pending' and seq > before.seq offset 0
    ) waiting
    where before.id = any(${ids}::text[])`
  return rows.map(({ id }) => id)
}

/** One that is paused already stays so; a new pause is a notice for its account's owners. */
export const updateHealth = (sql: TransactionSql, rows: (Health & { id: string })[]) => sql`
  update endpoint set prompt = health.prompt, failing_since = health."failingSince",
    paused_at = coalesce(paused_at, case when health."pausedReason" is not null then now() end),
    paused_reason = coalesce(paused_reason, health."pausedReason"),
    pause_notice = case when paused_at is null and health."pausedReason" is not null then gen_random_uuid() else pause_notice end
  from ${recordset(sql, 'health', { id: 'text', prompt: 'boolean', failingSince: 'timestamptz', pausedReason: 'text' }, rows)}
  where endpoint.id = any(${rows.map(({ id }) => id)}::text[]) and endpoint.id = health.id`
