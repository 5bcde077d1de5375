import type { Sql } from '@filmgate/kit/database/postgres'
import { deleteHeldJobs, type Job, rescheduleHeldJobs } from '@filmgate/kit/jobs/job-repository'
import type { Log } from '@filmgate/kit/telemetry/log'
import type { Services } from '../services/services'
import { balances } from './comparisons/balances'
import { compareLists } from './comparisons/compare-lists'
import type { Comparison, IdRange } from './comparisons/comparison'
import { creditChanges, paymentChanges } from './comparisons/credit-changes'
import { listPaymentFacts } from './comparisons/payment-fact-repository'
import { storedOutputs } from './comparisons/stored-outputs'
import { tasksAndAttempts } from './comparisons/tasks-and-attempts'
import { tasksAndReservations } from './comparisons/tasks-and-reservations'
import type { ComparedCount, CrossAudit, Finding } from './cross-audit'
import { endCrossAudit, failCrossAudit, findCrossAudit, findLastCrossAudit } from './cross-audit-repository'

export type CrossAuditDeps = { sql: Sql; log: Log; services: Services; now(): Date }

/** Of a comparison. Further differences are counted only: they have the same cause. */
const findingsKeptMax = 100
/** From its beginning, its retries included. A longer period must be compared in parts. */
const runMsMax = 1_800_000
const retryAfterMs = 60_000
/** For so long a difference before the period is looked at again. */
const foundAgainMsMax = 7 * 86_400_000

/** By the name of a comparison, what it compares. */
const comparisonsOf = ({ sql, services }: Pick<CrossAuditDeps, 'sql' | 'services'>) =>
  ({
    tasks: tasksAndReservations(services),
    balances: balances(services),
    credit_changes: creditChanges(services),
    payments: paymentChanges(services, listPaymentFacts(sql)),
    attempts: tasksAndAttempts(services),
    outputs: storedOutputs(services),
    // biome-ignore lint/suspicious/noExplicitAny: each has rows of its own.
  }) satisfies Record<string, Comparison<any, any>>

/**
 * Compares what the services have of the run's period, and again each difference of the last run. While a service can't
 * be read, an hourly run is tried again; a manual one fails at once.
 */
export async function runCrossAudit(deps: CrossAuditDeps, job: Job, signal: AbortSignal): Promise<void> {
  const { sql, log, now } = deps
  const run = await findCrossAudit(sql, job.id)
  if (run?.state !== 'running') return void (await deleteHeldJobs(sql, [job]))
  try {
    const result = await compareAll(deps, run, signal)
    await sql.begin(async sql => {
      await endCrossAudit(sql, run.id, result)
      await deleteHeldJobs(sql, [job])
    })
    for (const { comparison, check, subject, detail, act } of result.findings)
      log.error({ comparison, check, subject, detail, act }, 'cross-audit finding: see the runbook')
  } catch (error) {
    if (signal.aborted) throw error
    log.warn({ err: error, run: run.id }, 'cross-audit failed: see the runbook')
    if (run.requestedBy === null && now().getTime() + retryAfterMs < endOf(run))
      return void (await rescheduleHeldJobs(sql, [{ job, runAfterMs: retryAfterMs, resetTries: true }]))
    const fault = error instanceof Error ? error.message : String(error)
    await sql.begin(async sql => {
      await failCrossAudit(sql, run.id, fault)
      await deleteHeldJobs(sql, [job])
    })
  }
}

const endOf = ({ createdAt }: CrossAudit): number => createdAt.getTime() + runMsMax

async function compareAll({ sql, services, now }: CrossAuditDeps, run: CrossAudit, signal: AbortSignal) {
  const before = (await findLastCrossAudit(sql))?.findings ?? []
  const compared: Record<string, ComparedCount> = {}
  const findings: Finding[] = []
  for (const [name, comparison] of Object.entries(comparisonsOf({ sql, services })) as [string, Comparison<unknown, unknown>][]) {
    const earlier = new Map(before.filter(one => one.comparison === name).map(one => [one.subject, one]))
    const count: ComparedCount = { rows: 0, differences: 0 }
    const found = new Map<string, Finding>()
    const compare = (range: IdRange) =>
      compareLists(comparison, { range, period: run }, ({ rows, differences }) => {
        signal.throwIfAborted()
        if (now().getTime() > endOf(run)) throw new Error('it did not finish within 30 minutes: compare a shorter period')
        count.rows += rows
        count.differences += differences.length
        for (const one of differences.slice(0, findingsKeptMax - found.size))
          found.set(one.subject, { ...one, comparison: name, foundAt: earlier.get(one.subject)?.foundAt ?? now().toISOString() })
      })
    for (const range of comparison.rangesOf(run)) await compare(range)
    for (const { subject, foundAt } of earlier.values())
      if (!found.has(subject) && now().getTime() - Date.parse(foundAt) < foundAgainMsMax) await compare({ id: subject })
    compared[name] = count
    findings.push(...found.values())
  }
  return { compared, findings }
}
