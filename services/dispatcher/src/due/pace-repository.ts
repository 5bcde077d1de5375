import type { Sql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import { opensAfter, probeFirstMs } from './pace'

/** Makes the rows of providers that have none. */
export const insertPaces = (sql: Sql, providers: string[]) => sql`
  insert into provider_pace (provider) select unnest(${providers}::text[]) as provider order by provider on conflict do nothing`

/** What calls to a provider came to since the last report: whether one was answered, how many were not, and for how long it said to wait. */
export type CallsReport = { provider: string; answered: boolean; silent: number; waitMs: number | undefined }

/** Keeps what calls came to. Returns the providers whose breaker this opened, and those whose it closed. */
export async function recordCalls(sql: Sql, reports: CallsReport[]): Promise<{ opened: string[]; closed: string[] }> {
  const rows = await sql<{ provider: string; before: number; after: number }[]>`
    with before as (
      select provider_pace.provider, provider_pace.silent, given.answered, given.silent as more, "waitMs"
      from provider_pace join ${recordset(sql, 'given', { provider: 'text', answered: 'boolean', silent: 'int', waitMs: 'float8' }, reports)}
        on given.provider = provider_pace.provider
      order by provider_pace.provider for update of provider_pace
    ), after as (
      update provider_pace set
        silent = case when answered then 0 else before.silent + more end,
        probes = case when answered then 0 else probes end,
        probe_at = case
          when answered then null
          when before.silent < ${opensAfter} and before.silent + more >= ${opensAfter} then now() + ${probeFirstMs} * interval '1 millisecond'
          else probe_at
        end,
        held_until = case when "waitMs" is null then held_until else greatest(held_until, now() + "waitMs" * interval '1 millisecond') end
      from before where before.provider = provider_pace.provider
      returning provider_pace.provider, before.silent as before, provider_pace.silent as after
    )
    select * from after`
  return {
    opened: rows.filter(row => row.before < opensAfter && row.after >= opensAfter).map(({ provider }) => provider),
    closed: rows.filter(row => row.before >= opensAfter && row.after < opensAfter).map(({ provider }) => provider),
  }
}

export type PaceRow = { provider: string; silent: number; isOpen: boolean; heldUntil: Date | null; waitingMs: number }

/** How asking each of these providers stands: `heldUntil` while it is, `waitingMs` until a turn is free. */
export const findPaces = (sql: Sql, providers: string[]) => sql<PaceRow[]>`
  select provider, silent, silent >= ${opensAfter} as "isOpen",
    case when held > now() then held end as "heldUntil",
    (greatest(0, extract(epoch from greatest(turn_at, held) - now())) * 1000)::float8 as "waitingMs"
  from (
    select *, greatest(held_until, case when silent >= ${opensAfter} then probe_at end) as held from provider_pace
  ) as provider_pace where provider = any(${providers}::text[]) order by provider`
