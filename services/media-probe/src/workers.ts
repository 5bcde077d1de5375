import type { Sql } from '@filmgate/kit/database/postgres'
import { type JobWorker, startJobWorker } from '@filmgate/kit/jobs/job-worker'
import { planJobs } from '@filmgate/kit/jobs/plan-jobs'
import type { Log } from '@filmgate/kit/telemetry/log'
import { type DeleteDeps, deleteInputs } from './deletion/delete-inputs'
import { type SweepDeps, sweep, sweepJob, sweepKind } from './deletion/sweep'
import { deleteKind, type VerifyPayload, verifyKind } from './verification/jobs'
import { type VerifyDeps, verify } from './verification/verify'

export type WorkerDeps = {
  sql: Sql
  log: Log
  leaseMs: number
  tasksMax: number
  verifying: VerifyDeps
  deleting: DeleteDeps
  sweeping: SweepDeps
}

export type Workers = { verify: JobWorker; remove: JobWorker; stop(): Promise<unknown> }

const deletionsMax = 4
/** Where nobody wakes a worker: another replica's rows, leases that ended, deletions that fell due. */
const pollEveryMs = 1_000
const sweepPollEveryMs = 5_000

/** The three kinds of work that are claimed from the job table. There is always one sweep in it. */
export function startWorkers({ sql, log, leaseMs, tasksMax, verifying, deleting, sweeping }: WorkerDeps): Workers {
  const common = { sql, log, leaseMs }
  const verifier = startJobWorker<VerifyPayload>({
    ...common,
    kind: verifyKind,
    concurrency: tasksMax,
    pollEveryMs,
    run: (job, signal) => verify(verifying, job, signal),
  })
  const remover = startJobWorker({
    ...common,
    kind: deleteKind,
    concurrency: deletionsMax,
    pollEveryMs,
    run: job => deleteInputs(deleting, job),
  })
  const sweeper = startJobWorker({
    ...common,
    kind: sweepKind,
    concurrency: 1,
    pollEveryMs: sweepPollEveryMs,
    run: job => sweep(sweeping, job),
  })
  const planned = planJobs({ sql, log, jobs: [sweepJob] })
  return {
    verify: verifier,
    remove: remover,
    stop: () => Promise.all([planned, verifier, remover, sweeper].map(component => component.stop())),
  }
}
