import { onOwnConnection, type Sql, type TransactionSql } from '@filmgate/kit/database/postgres'
import { pause } from '@filmgate/kit/deadline'
import { type Checked, countRows, type Finding, insertAuditRun } from './audit-repository'
import * as checkpoints from './checkpoint-repository'
import * as money from './money-checks-repository'
import { after, everything } from './scope'
import * as waiting from './waiting-checks-repository'

/** `new`: entries after the checkpoint, and everything that waits. `full`: everything; only such a run finds changes before the checkpoint. */
export type Audit = { scope: 'new' | 'full'; findings: Finding[]; checked: Checked }

export type AuditRules = waiting.Ages & {
  /** A run checks everything when the last run that did so is older than this. */
  fullEveryMs: number
}

export type AuditInput = {
  nowMs: number
  full?: boolean
  /** How long to wait for a run that is under way. */
  lockWaitMs?: number
}

/** By the name of a finding, the statement that lists what breaks the rule. */
const moneyChecks = {
  transaction_unbalanced: money.unbalancedTransactions,
  books_unbalanced: money.unbalancedBooks,
  balance_differs: money.wrongBalances,
  unfinished_differs: money.wrongUnfinished,
  reserved_differs: money.wrongReserved,
  posting_differs: money.wrongPostings,
  reservation_wrong: money.wrongReservations,
  balance_negative: money.negativeAccounts,
  entry_orphaned: money.orphanedEntries,
  grant_differs: money.wrongGrants,
} as const

/** Sums all reservations of an account: too much for a run every quarter of an hour. */
const fullChecks = { budget_spend_differs: money.wrongSpend } as const

const waitingChecks = {
  refund_stuck: waiting.stuckRefunds,
  reservation_forgotten: waiting.forgottenReservations,
  review_forgotten: waiting.forgottenReviews,
  verdict_contradicts: waiting.openContradictions,
  event_stuck: waiting.stuckEvents,
} as const

const detailsMax = 100
const timeoutMs = 600_000
const lockTryEveryMs = 100
/** Transactions of the ledger take milliseconds. When one takes longer than this, the run leaves the checkpoint where it is. */
const transactionsEndWithinMs = 10_000
const transactionsLookEveryMs = 20

/**
 * Checks the invariants of the books in one snapshot, so that work in progress is no finding, and keeps the result. One run at a time: undefined
 * when another is still under way. A run that finds something wrong with credits doesn't advance the checkpoint, so that the next finds it again.
 */
export const audit = (sql: Sql, rules: AuditRules, asked: AuditInput): Promise<Audit | undefined> =>
  onOwnConnection(sql, timeoutMs, async own => {
    if (!(await lockWithin(own, asked.lockWaitMs ?? 0))) return undefined
    const horizon = await checkpoints.findHorizon(own)
    const complete = await untilEnded(own, horizon.xid)
    const known = await checkpoints.findCheckpoint(own)
    // The sequence is behind the checkpoint: the database was restored from a copy without it.
    const full = asked.full || !known?.clean || known.fullAgeMs >= rules.fullEveryMs || horizon.seq < known.seq
    await checkpoints.summarizeEntries(own).catch(() => {})
    const from = full ? undefined : known?.seq
    const { findings, checked } = await read(own, from, rules, asked.nowMs)
    const result: Audit = { scope: full ? 'full' : 'new', findings, checked }
    await own.begin(sql => keep(sql as TransactionSql, result, from, complete ? horizon.seq : undefined))
    return result
  })

async function lockWithin(sql: Sql, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs
  while (!(await checkpoints.tryLock(sql))) {
    if (performance.now() >= end) return false
    await pause(lockTryEveryMs)
  }
  return true
}

/** Whether every transaction before `xid` has ended in time: then every entry up to the horizon is visible, or never will be. */
async function untilEnded(sql: Sql, xid: string): Promise<boolean> {
  const end = performance.now() + transactionsEndWithinMs
  while (!(await checkpoints.allEnded(sql, xid))) {
    if (performance.now() >= end) return false
    await pause(transactionsLookEveryMs)
  }
  return true
}

const read = (sql: Sql, from: number | undefined, rules: AuditRules, nowMs: number): Promise<Omit<Audit, 'scope'>> =>
  sql.begin('isolation level repeatable read read only', async transaction => {
    const sql = transaction as TransactionSql
    const scope = from === undefined ? everything(sql) : after(sql, from)
    // Only a full run should read whole tables: the statements of the service and the runs over new entries never do.
    if (from === undefined) await sql`select set_config('enable_seqscan', 'on', true)`
    const findings: Finding[] = []
    for (const [check, find] of Object.entries(from === undefined ? { ...moneyChecks, ...fullChecks } : moneyChecks))
      for (const { detail } of await find(sql, scope, detailsMax)) findings.push({ check, detail })
    for (const [check, find] of Object.entries(waitingChecks))
      for (const { detail } of await find(sql, detailsMax, nowMs, rules)) findings.push({ check, detail })
    return { findings, checked: await countRows(sql, scope) }
  })

/** `to` is undefined where entries before the horizon may still come. */
async function keep(sql: TransactionSql, { scope, findings, checked }: Audit, from: number | undefined, to: number | undefined) {
  await insertAuditRun(sql, scope, findings, checked)
  const clean = !findings.some(({ check }) => check in moneyChecks || check in fullChecks)
  if (from === undefined) {
    if (clean && to !== undefined) await checkpoints.replaceCheckpoint(sql, to)
    else await checkpoints.markUnclean(sql)
  } else if (clean && to !== undefined) await checkpoints.advanceCheckpoint(sql, from, to)
}
