import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import type { Breaker } from './breaker'
import type { Rate } from './rate'
import { countValidMs } from './slots'

/** What all dispatchers share about polling a provider: a row of maker_pace. `nowMs`: the database's clock. */
export type ProviderLimits = { maker: string; nowMs: number } & Omit<Rate, 'perSecond'> & Breaker

const columns = (sql: Sql | TransactionSql) => sql`
  maker, (extract(epoch from now()) * 1000)::float8 as "nowMs", (extract(epoch from turn_at) * 1000)::float8 as "nextStartMs",
  coalesce(extract(epoch from held_until) * 1000, '-infinity')::float8 as "pausedUntilMs",
  silent as unanswered, (extract(epoch from probe_at) * 1000)::float8 as "probeAtMs", probes`

/** Makes the rows of providers that have none. */
export const insertProviderLimits = (sql: Sql | TransactionSql, makers: string[]) => sql`
  insert into maker_pace (maker) select unnest(${makers}::text[]) as maker order by maker on conflict do nothing`

export const findProviderLimits = (sql: Sql | TransactionSql, makers: string[]) => sql<ProviderLimits[]>`
  select ${columns(sql)} from maker_pace where maker = any(${makers}::text[]) order by maker`

/** Locks the rows to the end of the transaction, always in one order. */
export const lockProviderLimits = (sql: TransactionSql, makers: string[]) => sql<ProviderLimits[]>`
  select ${columns(sql)} from maker_pace where maker = any(${makers}::text[]) order by maker for update`

/** A start and a pause only ever move on. */
export const saveProviderLimits = (sql: TransactionSql, limits: Omit<ProviderLimits, 'nowMs'>[]) => sql`
  update maker_pace set silent = unanswered, probes = given.probes, probe_at = to_timestamp("probeAtMs" / 1000),
    turn_at = coalesce(to_timestamp("nextStartMs" / 1000), turn_at), held_until = coalesce(to_timestamp("pausedUntilMs" / 1000), held_until)
  from ${recordset(
    sql,
    'given',
    { maker: 'text', nextStartMs: 'float8', pausedUntilMs: 'float8', unanswered: 'int', probeAtMs: 'float8', probes: 'int' },
    limits,
  )} where maker_pace.maker = given.maker`

/** How many slots of each provider the dispatchers other than `owner` use. */
export const findUsedElsewhere = (sql: TransactionSql, makers: string[], owner: string) => sql<{ maker: string; used: number }[]>`
  select maker, sum(asking)::int as used from maker_asker
  where maker = any(${makers}::text[]) and owner <> ${owner} and seen_at > now() - ${countValidMs} * interval '1 millisecond' group by maker`

export const saveUsedSlots = (sql: TransactionSql, owner: string, counts: { maker: string; used: number }[]) => sql`
  insert into maker_asker (maker, owner, asking, seen_at)
  select maker, ${owner}, used, now() from ${recordset(sql, 'given', { maker: 'text', used: 'int' }, counts)} order by maker
  on conflict (maker, owner) do update set asking = excluded.asking, seen_at = excluded.seen_at`
