import type { Sql } from '@filmgate/kit/database/postgres'
import type { DatedRow } from '@filmgate/kit/operator/dated-rows'
import { type IdRange, inIdRange } from '@filmgate/kit/operator/id-range'
import type { BalanceFact, ChangeFact, ReservationFact } from '@filmgate/proto/operator/facts'

export const listReservationFacts = (sql: Sql, range: IdRange) =>
  sql<DatedRow<ReservationFact>[]>`
    select task_id, account_id, state, paid + starter as credits, refunded, changed_at
    from reservation where ${inIdRange(sql, sql`task_id`, range)} order by task_id limit ${range.limit}`

/** One version stands for all balances of an account. Null where a version before was the last to move credits. */
export const listBalanceFacts = (sql: Sql, range: IdRange) =>
  sql<DatedRow<BalanceFact>[]>`
    select id as account_id, available, starter, owed, balance_version, balance_version as starter_version, posted_at as changed_at
    from account where ${inIdRange(sql, sql`id`, range)} order by id limit ${range.limit}`

/** Grants and debits decided since then; callers choose their ids, and collations differ in how they order such. */
export const listChangeFacts = (sql: Sql, since: Date | null, range: IdRange) =>
  sql<DatedRow<ChangeFact>[]>`
    select id, account_id, kind, balance, credits, case when applied then 'applied' else 'declined' end as state,
           granted_at as created_at, granted_at as changed_at
    from credit_grant where ${inIdRange(sql, sql`id collate "C"`, range)} and (${since}::timestamptz is null or granted_at >= ${since})
    order by id collate "C" limit ${range.limit}`
