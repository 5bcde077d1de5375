import { type JobWorker, startJobWorker } from '@filmgate/kit/jobs'
import type { Log } from '@filmgate/kit/log'
import type { Sql } from '@filmgate/kit/postgres'
import { type DeleteDeps, deleteInputs, deleteKind } from './copies/delete-inputs'
import { type SweepDeps, sweep, sweepKind } from './copies/sweep'
import { type VerifyPayload, verifyKind } from './verification/job'
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

export type Workers = { verify: JobWorker; remove: JobWorker; stop(): Promise<void> }

const deletionsMax = 4
/** Where nobody wakes a worker: another replica's rows, leases that ended, deletions that fell due. */
const pollEveryMs = 1_000
const sweepPollEveryMs = 5_000

/** The three kinds of long work, each claimed from the job table. */
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
  return {
    verify: verifier,
    remove: remover,
    async stop() {
      await Promise.all([verifier.stop(), remover.stop(), sweeper.stop()])
    },
  }
}
