import type { Sql } from '@filmgate/kit/database/postgres'
import type { DatedRow } from '@filmgate/kit/operator/dated-rows'
import { type IdRange, inIdRange } from '@filmgate/kit/operator/id-range'
import type { BalanceFact, ChangeFact, TaskFact } from '@filmgate/proto/operator/facts'

export const listTaskFacts = (sql: Sql, range: IdRange) =>
  sql<DatedRow<TaskFact>[]>`
    select id as task_id, account_id, phase, billing_status, credits_used, credits_refunded, deleted_at is not null as deleted,
           updated_at as changed_at
    from task where ${inIdRange(sql, sql`id`, range)} order by id limit ${range.limit}`

/** The time is that of the account, because its balances have none. */
export const listBalanceFacts = (sql: Sql, range: IdRange) =>
  sql<DatedRow<BalanceFact>[]>`
    select id as account_id, available, starter, owed, balance_version, starter_version, created_at as changed_at
    from account where ${inIdRange(sql, sql`id`, range)} order by id limit ${range.limit}`

/** Grants and debits asked for since then; callers choose their ids, and collations differ in how they order such. */
export const listChangeFacts = (sql: Sql, since: Date | null, range: IdRange) =>
  sql<DatedRow<ChangeFact>[]>`
    select id, account_id, kind, balance, credits, state, asked_at as created_at, coalesce(decided_at, asked_at) as changed_at
    from credit_change where ${inIdRange(sql, sql`id collate "C"`, range)} and (${since}::timestamptz is null or asked_at >= ${since})
    order by id collate "C" limit ${range.limit}`
