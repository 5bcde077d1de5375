import type { Fragment, Sql } from '@filmgate/kit/postgres'
import { recordset } from '@filmgate/kit/recordset'

export type EntryKind = 'reservation' | 'refund'
export type NewEntry = { taskId: string; kind: EntryKind; credits: number; balanceAfter: number; at: Date }
export type Entry = NewEntry & { model: string; mode: string; resolution: string; billedSeconds: number; priceVersion: string }

/** The task's row tells what was made; a task of another surface makes no usage record. */
export const insertEntries = (sql: Sql, entries: NewEntry[]): Fragment => sql`
  insert into usage_entry (task_id, kind, account_id, at, model, mode, resolution, billed_seconds, price_version, credits, balance_after)
  select task.id, entry.kind, task.account_id, entry.at, task.model, task.mode, task.resolution, task.billed_seconds, task.price_version,
         entry.credits, entry."balanceAfter"
  from ${recordset(sql, 'entry', { taskId: 'text', kind: 'text', at: 'timestamptz', credits: 'bigint', balanceAfter: 'bigint' }, entries)}
  join task on task.id = entry."taskId" and task.surface = 'api'
  on conflict do nothing`

export type EntryFilter = { accountId: string; from: Date | null; to: Date | null; model: string | null }
/** The last entry already seen. */
export type EntryPosition = { at: Date; taskId: string; kind: string }

/** Newest first, from after `position`. */
export const listEntries = (sql: Sql, { accountId, from, to, model }: EntryFilter, position: EntryPosition | undefined, rowsMax: number) =>
  sql<Entry[]>`
    select task_id as "taskId", kind, credits, balance_after as "balanceAfter", at, model, mode, resolution, billed_seconds as "billedSeconds",
           price_version as "priceVersion"
    from usage_entry
    where account_id = ${accountId}
      and (${from}::timestamptz is null or at >= ${from})
      and (${to}::timestamptz is null or at < ${to})
      and (${model}::text is null or model = ${model})
      and (${position?.at ?? null}::timestamptz is null
           or (at, task_id, kind) < (${position?.at ?? null}::timestamptz, ${position?.taskId ?? null}::text, ${position?.kind ?? null}::text))
    order by at desc, task_id desc, kind desc
    limit ${rowsMax}`

export type DaySum = {
  day: string
  model: string
  generations: number
  refunds: number
  billedSeconds: number
  creditsUsed: number
  creditsRefunded: number
}

/** Days are of UTC; newest first. Seconds count where their credits were kept. */
export const sumEntries = (sql: Sql, { accountId, from, to, model }: EntryFilter) =>
  sql<DaySum[]>`
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day, model,
           count(*) filter (where kind = 'reservation') as generations,
           count(*) filter (where kind = 'refund') as refunds,
           coalesce(sum(case kind when 'reservation' then billed_seconds else -billed_seconds end), 0)::bigint as "billedSeconds",
           coalesce(-sum(credits) filter (where kind = 'reservation'), 0)::bigint as "creditsUsed",
           coalesce(sum(credits) filter (where kind = 'refund'), 0)::bigint as "creditsRefunded"
    from usage_entry
    where account_id = ${accountId}
      and (${from}::timestamptz is null or at >= ${from})
      and (${to}::timestamptz is null or at < ${to})
      and (${model}::text is null or model = ${model})
    group by 1, 2
    order by 1 desc, 2`
