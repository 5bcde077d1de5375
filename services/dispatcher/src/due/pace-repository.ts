import type { Sql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import { opensAfter, probeFirstMs } from './pace'

/** Makes the rows of makers that have none. */
export const insertPaces = (sql: Sql, makers: string[]) => sql`
  insert into maker_pace (maker) select unnest(${makers}::text[]) as maker order by maker on conflict do nothing`

/** What calls to a maker came to since the last report: whether one was answered, how many were not, and for how long it said to wait. */
export type CallsReport = { maker: string; answered: boolean; silent: number; waitMs: number | undefined }

/** Keeps what calls came to. Returns the makers whose breaker this opened, and those whose it closed. */
export async function recordCalls(sql: Sql, reports: CallsReport[]): Promise<{ opened: string[]; closed: string[] }> {
  const rows = await sql<{ maker: string; before: number; after: number }[]>`
    with before as (
      select maker_pace.maker, maker_pace.silent, given.answered, given.silent as more, "waitMs"
      from maker_pace join ${recordset(sql, 'given', { maker: 'text', answered: 'boolean', silent: 'int', waitMs: 'float8' }, reports)}
        on given.maker = maker_pace.maker
      order by maker_pace.maker for update of maker_pace
    ), after as (
      update maker_pace set
        silent = case when answered then 0 else before.silent + more end,
        probes = case when answered then 0 else probes end,
        probe_at = case
          when answered then null
          when before.silent < ${opensAfter} and before.silent + more >= ${opensAfter} then now() + ${probeFirstMs} * interval '1 millisecond'
          else probe_at
        end,
        held_until = case when "waitMs" is null then held_until else greatest(held_until, now() + "waitMs" * interval '1 millisecond') end
      from before where before.maker = maker_pace.maker
      returning maker_pace.maker, before.silent as before, maker_pace.silent as after
    )
    select * from after`
  return {
    opened: rows.filter(row => row.before < opensAfter && row.after >= opensAfter).map(({ maker }) => maker),
    closed: rows.filter(row => row.before >= opensAfter && row.after < opensAfter).map(({ maker }) => maker),
  }
}

export type PaceRow = { maker: string; silent: number; isOpen: boolean; heldUntil: Date | null; waitingMs: number }

/** How asking each of these makers stands: `heldUntil` while it is, `waitingMs` until a turn is free. */
export const findPaces = (sql: Sql, makers: string[]) => sql<PaceRow[]>`
  select maker, silent, silent >= ${opensAfter} as "isOpen",
    case when held > now() then held end as "heldUntil",
    (greatest(0, extract(epoch from greatest(turn_at, held) - now())) * 1000)::float8 as "waitingMs"
  from (
    select *, greatest(held_until, case when silent >= ${opensAfter} then probe_at end) as held from maker_pace
  ) as maker_pace where maker = any(${makers}::text[]) order by maker`
