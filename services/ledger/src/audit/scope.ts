import type { Fragment, TransactionSql } from '@filmgate/kit/database/postgres'

/** What a run checks: everything, or the accounts and sources of the entries after a checkpoint. */
export type Scope = {
  /** True for the tasks, grants and debits in it. */
  source(column: Fragment): Fragment
  account(column: Fragment): Fragment
  /** What the entries of each account in it sum up to: account_id, paid, starter, reserved, owed. */
  booked: Fragment
}

const sums = (sql: TransactionSql) => sql`
  account_id, coalesce(sum(credits) filter (where book = 'customer_paid'), 0) as paid,
  coalesce(sum(credits) filter (where book = 'customer_starter'), 0) as starter,
  coalesce(sum(credits) filter (where book = 'reserved'), 0) as reserved,
  coalesce(-sum(credits) filter (where book = 'owed'), 0) as owed`

export const everything = (sql: TransactionSql): Scope => ({
  source: () => sql`true`,
  account: () => sql`true`,
  booked: sql`select ${sums(sql)} from entry group by account_id`,
})

/**
 * Sources are checked whole, also when their first entries are before the checkpoint; sums begin with those kept at the checkpoint. Arrays are
 * computed once and looked up by key, whereas the planner estimates `in (select …)` as a third of the table.
 */
export const after = (sql: TransactionSql, seq: number): Scope => ({
  source: column => sql`${column} = any(array(select distinct source_id from entry where seq > ${seq}))`,
  account: column => sql`${column} = any(array(select distinct account_id from entry where seq > ${seq}))`,
  booked: sql`
    select account_id, sum(paid) as paid, sum(starter) as starter, sum(reserved) as reserved, sum(owed) as owed from (
      select ${sums(sql)} from entry where seq > ${seq} group by account_id
      union all
      select account_id, paid, starter, reserved, owed from audit_account where account_id = any(array(select distinct account_id from entry where seq > ${seq}))
    ) as summed group by account_id`,
})
