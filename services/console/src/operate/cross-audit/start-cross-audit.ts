import { startJobWorker } from '@filmgate/kit/jobs/job-worker'
import { every } from '@filmgate/kit/process/every'
import { crossAuditKind, crossAuditWhenDue, exposeCrossAudit } from './request-cross-audit'
import { type CrossAuditDeps, runCrossAudit } from './run-cross-audit'

const leaseMs = 10_000
const pollEveryMs = 1_000
const checkEveryMs = 60_000

/** Starts the worker of cross-audits and the clock of the hourly one. */
export function startCrossAudit(deps: CrossAuditDeps): { stop(): Promise<unknown> } {
  const { sql, log } = deps
  exposeCrossAudit(sql)
  const run = (job: Parameters<typeof runCrossAudit>[1], signal: AbortSignal) => runCrossAudit(deps, job, signal)
  const worker = startJobWorker({ sql, log, kind: crossAuditKind, concurrency: 1, leaseMs, pollEveryMs, run })
  const clock = every(checkEveryMs, () => crossAuditWhenDue(deps), { log, name: 'start the cross-audit' })
  return { stop: () => Promise.all([worker.stop(), clock.stop()]) }
}
