import { onOwnConnection, type Sql, type TransactionSql } from '@filmgate/kit/postgres'
import * as repository from './audit-repository'

export type Audit = { findings: repository.Finding[]; checked: repository.Checked }

/** Name of a finding → the statement that lists what breaks the rule. */
const checks = {
  transaction_unbalanced: repository.unbalancedTransactions,
  books_unbalanced: repository.unbalancedBooks,
  balance_differs: repository.wrongBalances,
  unfinished_differs: repository.wrongUnfinished,
  reserved_differs: repository.wrongReserved,
  posting_differs: repository.wrongPostings,
  reservation_wrong: repository.wrongReservations,
  balance_negative: repository.negativeAccounts,
  entry_orphaned: repository.orphanedEntries,
  grant_differs: repository.wrongGrants,
  refund_stuck: repository.stuckRefunds,
  reservation_forgotten: repository.forgottenReservations,
  verdict_contradicts: repository.openContradictions,
  event_stuck: repository.stuckEvents,
} as const

const detailsMax = 100
const timeoutMs = 600_000

/** Checks every invariant of the books on one snapshot, so that what goes on meanwhile is no finding, and keeps the result. */
export async function audit(sql: Sql, nowMs: number): Promise<Audit> {
  const result = await onOwnConnection(sql, timeoutMs, own => read(own, nowMs))
  await repository.insertAuditRun(sql, result.findings, result.checked)
  return result
}

const read = (sql: Sql, nowMs: number): Promise<Audit> =>
  sql.begin('isolation level repeatable read read only', async begun => {
    const sql = begun as TransactionSql
    // An audit reads whole tables, which is what the pool's statements never should.
    await sql`select set_config('enable_seqscan', 'on', true)`
    const findings: repository.Finding[] = []
    for (const [check, find] of Object.entries(checks)) {
      for (const { detail } of await find(sql, detailsMax, nowMs)) findings.push({ check, detail })
    }
    return { findings, checked: await repository.countRows(sql) }
  })
