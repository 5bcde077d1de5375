import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import type { Breaker } from './breaker'
import type { Rate } from './rate'
import { countValidMs } from './slots'

/** What all dispatchers share about polling a provider: a row of provider_pace. `nowMs`: the database's clock. */
export type ProviderLimits = { provider: string; nowMs: number } & Omit<Rate, 'perSecond'> & Breaker

const columns = (sql: Sql | TransactionSql) => sql`
  provider, (extract(epoch from now()) * 1000)::float8 as "nowMs", (extract(epoch from turn_at) * 1000)::float8 as "nextStartMs",
  coalesce(extract(epoch from held_until) * 1000, '-infinity')::float8 as "pausedUntilMs", pause_ms as "pauseMs",
  silent as unanswered, (extract(epoch from probe_at) * 1000)::float8 as "probeAtMs", probes`

/** Makes the rows of providers that have none. */
export const insertProviderLimits = (sql: Sql | TransactionSql, providers: string[]) => sql`
  insert into provider_pace (provider) select unnest(${providers}::text[]) as provider order by provider on conflict do nothing`

export const findProviderLimits = (sql: Sql | TransactionSql, providers: string[]) => sql<ProviderLimits[]>`
  select ${columns(sql)} from provider_pace where provider = any(${providers}::text[]) order by provider`

/** Locks the rows to the end of the transaction, always in one order. */
export const lockProviderLimits = (sql: TransactionSql, providers: string[]) => sql<ProviderLimits[]>`
  select ${columns(sql)} from provider_pace where provider = any(${providers}::text[]) order by provider for update`

/** A start and a pause only ever move on. */
export const saveProviderLimits = (sql: TransactionSql, limits: Omit<ProviderLimits, 'nowMs'>[]) => sql`
  update provider_pace set silent = unanswered, probes = given.probes, probe_at = to_timestamp("probeAtMs" / 1000), pause_ms = "pauseMs",
    turn_at = coalesce(to_timestamp("nextStartMs" / 1000), turn_at), held_until = coalesce(to_timestamp("pausedUntilMs" / 1000), held_until)
  from ${recordset(
    sql,
    'given',
    {
      ...{ provider: 'text', nextStartMs: 'float8', pausedUntilMs: 'float8', pauseMs: 'float8' },
      ...{ unanswered: 'int', probeAtMs: 'float8', probes: 'int' },
    },
    limits,
  )} where provider_pace.provider = given.provider`

/** How many slots of each provider the dispatchers other than `owner` use. */
export const findUsedElsewhere = (sql: TransactionSql, providers: string[], owner: string) => sql<{ provider: string; used: number }[]>`
  select provider, sum(asking)::int as used from provider_asker
  where provider = any(${providers}::text[]) and owner <> ${owner} and seen_at > now() - ${countValidMs} * interval '1 millisecond' group by provider`

export const saveUsedSlots = (sql: TransactionSql, owner: string, counts: { provider: string; used: number }[]) => sql`
  insert into provider_asker (provider, owner, asking, seen_at)
  select provider, ${owner}, used, now() from ${recordset(sql, 'given', { provider: 'text', used: 'int' }, counts)} order by provider
  on conflict (provider, owner) do update set asking = excluded.asking, seen_at = excluded.seen_at`
