import type { Sql } from '@filmgate/kit/database/postgres'
import type { Job } from '@filmgate/kit/jobs/job-repository'
import { type JobWorker, startJobWorker } from '@filmgate/kit/jobs/job-worker'
import { planJobs } from '@filmgate/kit/jobs/plan-jobs'
import type { Log } from '@filmgate/kit/telemetry/log'
import { type DeleteDeps, deleteInputs } from './deletion/delete-inputs'
import { type SweepDeps, sweep, sweepJob, sweepKind } from './deletion/sweep'
import { type MakePosterDeps, makePoster } from './poster/make-poster'
import { type PosterPayload, posterKind } from './poster/plan-posters'
import { throttleByCpuPressure } from './poster/throttle-by-cpu-pressure'
import { deleteKind, type VerifyPayload, verifyKind } from './verification/jobs'
import { type VerifyDeps, verify } from './verification/verify'

export type WorkerDeps = {
  sql: Sql
  log: Log
  leaseMs: number
  tasksMax: number
  postersMax: number
  /** While databases are brought back. */
  recovering?: boolean
  verifying: VerifyDeps
  deleting: DeleteDeps
  sweeping: SweepDeps
  makingPosters: MakePosterDeps
}

export type Workers = Record<'verify' | 'remove' | 'posters', Pick<JobWorker, 'wake'>> & { stop(): Promise<unknown> }

const deletionsMax = 4
/** Finds other replicas' rows, expired leases and due deletions, for which nothing wakes the worker. */
const pollEveryMs = 1_000
const sweepPollEveryMs = 5_000
const posterPollEveryMs = 5_000

/** In place of a worker that doesn't run. */
const idle = { wake() {}, async stop() {} }

/**
 * Starts the four workers of the job table. There is always one sweep job. In recovery nothing is verified or swept: a
 * decision about the files that was lost may come back, and the task's admission is over.
 */
export function startWorkers(deps: WorkerDeps): Workers {
  const { sql, log, leaseMs, tasksMax, postersMax, recovering = false, verifying, deleting, sweeping, makingPosters } = deps
  const common = { sql, log, leaseMs }
  const verifier = recovering
    ? idle
    : startJobWorker<VerifyPayload>({
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
  const sweeper = recovering
    ? idle
    : startJobWorker({
        ...common,
        kind: sweepKind,
        concurrency: 1,
        pollEveryMs: sweepPollEveryMs,
        run: job => sweep(sweeping, job),
      })
  const posters = startJobWorker<PosterPayload>({
    ...common,
    kind: posterKind,
    // If posters are disabled, planned ones are still given up.
    concurrency: Math.max(1, postersMax),
    pollEveryMs: posterPollEveryMs,
    run: throttleByCpuPressure((job: Job<PosterPayload>, signal) => makePoster(makingPosters, job, signal)),
  })
  const planned = planJobs({ sql, log, jobs: [sweepJob] })
  return {
    verify: verifier,
    remove: remover,
    posters,
    stop: () => Promise.all([planned, verifier, remover, sweeper, posters].map(component => component.stop())),
  }
}
