import type { Fragment, Sql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import type { PriceLine } from '../catalog/compile-price'
import type { Tags } from '../tags/read-tags'
import type { Tag } from '../tags/tag-parameter'
import type { Surface } from '../tasks/task'
import { type Dimensions, type Group, groupColumns } from './dimensions'

/** A record's credits and the paid balance after it; the balance's version and the moment grow together. */
type Left = { credits: number; balanceAfter: number; version: number; at: Date }
/**
 * `starter`: how much of the credits is of the starter balance, with their sign. `part`: a refund of a part, which takes back no seconds and
 * has no lines of a price.
 */
export type NewTaskRecord = Left & { starter: number; taskId: string; kind: 'reservation' | 'refund'; part?: boolean }
export type NewChangeRecord = Left & { changeId: string; accountId: string; kind: 'grant' | 'debit' }
/** `sourceId` is the task's id or the change's; a change has no model. */
export type UsageRecord = Left & {
  sourceId: string
  /** Null for a change, and for what a version before recorded, which was of the API. */
  surface: Surface | null
  starter: number
  kind: NewTaskRecord['kind'] | NewChangeRecord['kind']
  model: string | null
  mode: string | null
  resolution: string | null
  billedSeconds: number
  /** Null for a change, for a refund of a part, and for what a version before recorded. */
  breakdown: PriceLine[] | null
  priceVersion: string | null
  /** Null for a change and for the console's tasks, '' where it is not known any more. */
  keyId: string | null
  tags: Tags | null
}

const left = { credits: 'bigint', balanceAfter: 'bigint', version: 'bigint', at: 'timestamptz' }

/** Model, seconds, price, surface, key and tags come from the task's row. */
export const insertRecords = (sql: Sql, ofTasks: NewTaskRecord[], ofChanges: NewChangeRecord[]): Fragment => sql`
  insert into usage_entry (task_id, kind, account_id, at, model, mode, resolution, billed_seconds, breakdown, price_version, credits, balance_after, balance_version,
                           surface, starter, key_id, tags)
  select task.id, usage.kind, task.account_id, usage.at, task.model, task.mode, task.resolution,
         case when usage.part then 0 else task.billed_seconds end, case when usage.part then null else task.breakdown end, task.price_version,
         usage.credits, usage."balanceAfter", usage.version, task.surface, usage.starter,
         case when task.surface = 'web' then null else task.key_id end, task.tags
  from ${recordset(sql, 'usage', { taskId: 'text', kind: 'text', starter: 'bigint', part: 'boolean', ...left }, ofTasks)}
  join task on task.id = usage."taskId"
  ${ofChanges.length > 0 ? sql`union all ${changeRecords(sql, ofChanges)}` : sql``}
  on conflict do nothing`

const changeRecords = (sql: Sql, changes: NewChangeRecord[]): Fragment => sql`
  select change."changeId", change.kind, account.id, change.at, null, null, null, 0, null, null, change.credits, change."balanceAfter", change.version, null, 0, null, null
  from ${recordset(sql, 'change', { changeId: 'text', accountId: 'text', kind: 'text', ...left }, changes)}
  join account on account.id = change."accountId"`

/** `surfaces`: of what was asked for in the console, `api` has what moved the paid balance, and nothing of its tasks. */
export type RecordFilter = {
  accountId: string
  surfaces: 'api' | 'all'
  from: Date | null
  to: Date | null
  model: string | null
  keyId: string | null
  tag: Tag | null
}
/** The last record already seen. */
export type RecordPosition = { at: Date; version: number; sourceId: string; kind: string }

/** A filter by model or tag would tell those of the console's tasks. */
const ofSurfaces = (sql: Sql, { surfaces, model, keyId, tag }: RecordFilter): Fragment => {
  if (surfaces === 'all') return sql``
  return model === null && keyId === null && tag === null
    ? sql`and (surface is distinct from 'web' or credits <> starter)`
    : sql`and surface is distinct from 'web'`
}

const ofKeyAndTag = (sql: Sql, { keyId, tag }: RecordFilter): Fragment => sql`
  ${keyId === null ? sql`` : sql`and key_id = ${keyId}`}
  ${tag === null ? sql`` : sql`and tags ->> ${tag.name}::text = ${tag.value}`}`

/** Only what is asked for: beside a check for null the index would be read over all of the account's time. */
const within = (sql: Sql, { from, to }: RecordFilter): Fragment => sql`
  ${from === null ? sql`` : sql`and at >= ${from}`}
  ${to === null ? sql`` : sql`and at < ${to}`}`

/** Newest first, from after `position`. Records of one moment in the order in which the ledger made them. */
export const listRecords = (sql: Sql, filter: RecordFilter, position: RecordPosition | undefined, rowsMax: number) => {
  const { accountId, model } = filter
  return sql<UsageRecord[]>`
    select task_id as "sourceId", kind, credits, balance_after as "balanceAfter", balance_version as version, at, model, mode, resolution, billed_seconds as "billedSeconds",
           breakdown, price_version as "priceVersion", surface, starter, key_id as "keyId", tags
    from usage_entry
    where account_id = ${accountId} ${ofSurfaces(sql, filter)} ${ofKeyAndTag(sql, filter)}
      ${within(sql, filter)}
      and (${model}::text is null or model = ${model})
      and (${position?.at ?? null}::timestamptz is null
           or (at, balance_version, task_id, kind)
              < (${position?.at ?? null}::timestamptz, ${position?.version ?? null}::bigint, ${position?.sourceId ?? null}::text, ${position?.kind ?? null}::text))
    order by at desc, balance_version desc, task_id desc, kind desc
    limit ${rowsMax}`
}

/** For the API what the console spent has a day alone. */
export type UsageSum = Group & {
  generations: number
  refunds: number
  billedSeconds: number
  creditsUsed: number
  creditsRefunded: number
  /** Of the starter balance, less what came back. */
  starterNet: number
}

/** By day and model: days are of UTC, newest first. Seconds count where their credits were kept, but those of tasks that the API does not show. */
export const sumRecords = (sql: Sql, filter: RecordFilter, by: Dimensions) => {
  const { accountId, surfaces, model } = filter
  const hidden = surfaces === 'all' ? sql`false` : sql`surface is not distinct from 'web'`
  return sql<UsageSum[]>`
    with record as (
      select at, kind, case when ${hidden} then null else model end as model, case when ${hidden} then 0 else billed_seconds end as seconds,
             case when ${hidden} then credits - starter else credits end as credits, starter,
             key_id, case when ${hidden} then null else tags end as tags
      from usage_entry
      where account_id = ${accountId} and model is not null ${ofSurfaces(sql, filter)} ${ofKeyAndTag(sql, filter)}
        ${within(sql, filter)}
        and (${model}::text is null or model = ${model})
    )
    select ${groupColumns(sql, by)},
           count(*) filter (where kind = 'reservation') as generations,
           count(*) filter (where kind = 'refund') as refunds,
           coalesce(sum(case kind when 'reservation' then seconds else -seconds end), 0)::bigint as "billedSeconds",
           coalesce(-sum(credits) filter (where kind = 'reservation'), 0)::bigint as "creditsUsed",
           coalesce(sum(credits) filter (where kind = 'refund'), 0)::bigint as "creditsRefunded",
           coalesce(-sum(starter), 0)::bigint as "starterNet"
    from record
    group by 1, 2, 3, 4
    order by 1 desc, 2 nulls last, 3 nulls last, 4 nulls last`
}

/** Of the credits used, those that are held for tasks that have not ended, by the dimensions of their reservation. */
export const sumHeld = (sql: Sql, filter: RecordFilter, by: Dimensions) =>
  sql<(Group & { credits: number })[]>`
    with record as (
      select entry.at, entry.model, entry.key_id, entry.tags, entry.credits
      from task join usage_entry as entry on entry.task_id = task.id and entry.kind = 'reservation'
      where task.account_id = ${filter.accountId} and task.phase_rank < 4 and task.billing_rank between 1 and 3
    )
    select ${groupColumns(sql, by)}, -sum(credits)::bigint as credits
    from record where true ${ofKeyAndTag(sql, filter)}
    group by 1, 2, 3, 4`

/** Of at most `rowsMax` records that a version before wrote; returns how many. Those that another replica holds are left to it. */
export async function fillRecordKeys(sql: Sql, rowsMax: number): Promise<number> {
  const rows = await sql`
    with keyless as (
      select task_id, kind from usage_entry
      where key_id is null and model is not null and surface is distinct from 'web'
      order by task_id limit ${rowsMax} for update skip locked
    )
    update usage_entry as entry set key_id = coalesce(task.key_id, ''), tags = task.tags
    from keyless left join task on task.id = keyless.task_id
    where entry.task_id = keyless.task_id and entry.kind = keyless.kind
    returning entry.task_id`
  return rows.length
}
