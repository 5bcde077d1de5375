import { pause } from '@filmgate/kit/deadline'
import { onOwnConnection, type Sql, type TransactionSql } from '@filmgate/kit/postgres'
import { type Checked, countRows, type Finding, insertAuditRun } from './audit-repository'
import * as checkpoints from './checkpoint-repository'
import * as money from './money-checks-repository'
import { after, everything } from './scope'
import * as waiting from './waiting-checks-repository'

/** `new`: what came after the checkpoint, and everything that waits. `full`: everything, which alone sees what was changed behind the checkpoint. */
export type Audit = { scope: 'new' | 'full'; findings: Finding[]; checked: Checked }

export type AuditRules = waiting.Ages & {
  /** A run checks everything where the last that did is older. */
  fullEveryMs: number
}

export type AuditAsked = {
  nowMs: number
  full?: boolean
  /** How long to wait for a run under way. */
  turnWithinMs?: number
}

/** Name of a finding → the statement that lists what breaks the rule. */
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

const waitingChecks = {
  refund_stuck: waiting.stuckRefunds,
  reservation_forgotten: waiting.forgottenReservations,
  review_forgotten: waiting.forgottenReviews,
  verdict_contradicts: waiting.openContradictions,
  event_stuck: waiting.stuckEvents,
} as const

const detailsMax = 100
const timeoutMs = 600_000
const turnLookEveryMs = 100
/** Transactions of the ledger last milliseconds; one that lasts longer only keeps the checkpoint where it is. */
const settledWithinMs = 10_000
const settledLookEveryMs = 20

/**
 * Checks the invariants of the books on one snapshot, so that what goes on meanwhile is no finding, and keeps the result. One run at a
 * time: undefined where another is still under way. What a run finds wrong with the money it leaves before the checkpoint, to be found again.
 */
export const audit = (sql: Sql, rules: AuditRules, asked: AuditAsked): Promise<Audit | undefined> =>
  onOwnConnection(sql, timeoutMs, async own => {
    if (!(await inTurn(own, asked.turnWithinMs ?? 0))) return undefined
    const horizon = await checkpoints.findHorizon(own)
    const settled = await untilSettled(own, horizon.xid)
    const known = await checkpoints.findCheckpoint(own)
    // Numbers below the checkpoint's: the database came back from a copy that lost its sequence.
    const full = asked.full || !known?.clean || known.fullAgeMs >= rules.fullEveryMs || horizon.seq < known.seq
    await checkpoints.summarizeEntries(own).catch(() => {})
    const from = full ? undefined : known?.seq
    const { findings, checked } = await read(own, from, rules, asked.nowMs)
    const result: Audit = { scope: full ? 'full' : 'new', findings, checked }
    await own.begin(sql => keep(sql as TransactionSql, result, from, settled ? horizon.seq : undefined))
    return result
  })

async function inTurn(sql: Sql, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs
  while (!(await checkpoints.tryTurn(sql))) {
    if (performance.now() >= end) return false
    await pause(turnLookEveryMs)
  }
  return true
}

/** Whether every entry up to the horizon is by now visible, or never will be. */
async function untilSettled(sql: Sql, xid: string): Promise<boolean> {
  const end = performance.now() + settledWithinMs
  while (!(await checkpoints.allEnded(sql, xid))) {
    if (performance.now() >= end) return false
    await pause(settledLookEveryMs)
  }
  return true
}

const read = (sql: Sql, from: number | undefined, rules: AuditRules, nowMs: number): Promise<Omit<Audit, 'scope'>> =>
  sql.begin('isolation level repeatable read read only', async begun => {
    const sql = begun as TransactionSql
    const scope = from === undefined ? everything(sql) : after(sql, from)
    // A full run reads whole tables, which is what the pool's statements, and a run of what is new, never should.
    if (from === undefined) await sql`select set_config('enable_seqscan', 'on', true)`
    const findings: Finding[] = []
    for (const [check, find] of Object.entries(moneyChecks))
      for (const { detail } of await find(sql, scope, detailsMax)) findings.push({ check, detail })
    for (const [check, find] of Object.entries(waitingChecks))
      for (const { detail } of await find(sql, detailsMax, nowMs, rules)) findings.push({ check, detail })
    return { findings, checked: await countRows(sql, scope) }
  })

/** `to` is undefined where entries before the horizon may still come. */
async function keep(sql: TransactionSql, { scope, findings, checked }: Audit, from: number | undefined, to: number | undefined) {
  await insertAuditRun(sql, scope, findings, checked)
  const clean = !findings.some(({ check }) => check in moneyChecks)
  if (from === undefined) {
    if (clean && to !== undefined) await checkpoints.replaceCheckpoint(sql, to)
    else await checkpoints.spoilCheckpoint(sql)
  } else if (clean && to !== undefined) await checkpoints.moveCheckpoint(sql, from, to)
}
