import type { Sql } from '@filmgate/kit/database/postgres'
import type { Job } from '@filmgate/kit/jobs/job-repository'
import { startJobWorker } from '@filmgate/kit/jobs/job-worker'
import { planJobs } from '@filmgate/kit/jobs/plan-jobs'
import { every } from '@filmgate/kit/process/every'
import type { Component } from '@filmgate/kit/process/run'
import type { Log } from '@filmgate/kit/telemetry/log'
import { cancelJob, copyJob, recopyJob } from './attempt/jobs'
import { type CancelDeps, type CancelPayload, cancelAttempt } from './cancel/cancel-attempt'
import { type FollowUpDeps, startFollowUp } from './follow/follow-up'
import type { Holds } from './holds/holds'
import type { CopyPayload } from './output/decide-copy'
import { type ExpireDeps, expire, expireJob, expireJobId } from './output/expire'
import { type FinishDeps, finish } from './output/finish'
import type { RoutesFollower } from './routing/follow-routes'

export type WorkersDeps = {
  sql: Sql
  log: Log
  leaseMs: number
  claimEveryMs: number
  copiesMax: number
  recopiesMax: number
  routes: RoutesFollower
  holds: Pick<Holds, 'look'>
  routesLookEveryMs: number
  following: FollowUpDeps
  finishing: FinishDeps
  cancelling: Omit<CancelDeps, 'wakePolls'>
  expiring: ExpireDeps
}

/** Each waits for one call of a provider at most. */
const cancelsMax = 50

/** What works by the clock or from the job table: polls and look-ups, cancels, copies of outputs, cleaning, and looks at changed routes. `components` stop in reverse. */
export function startWorkers(deps: WorkersDeps): { wake(): void; wakeCancels(): void; components: Component[] } {
  const { sql, log, leaseMs, claimEveryMs: pollEveryMs, finishing, expiring } = deps
  const common = { sql, log, leaseMs, pollEveryMs }
  const attempts = startFollowUp(deps.following)
  const run = (job: Job<CopyPayload>, signal: AbortSignal) => finish(finishing, job, signal)
  const copies = startJobWorker({ ...common, kind: copyJob, concurrency: deps.copiesMax, run })
  const recopies = startJobWorker({ ...common, kind: recopyJob, concurrency: deps.recopiesMax, run })
  const cancels = startJobWorker({
    ...{ ...common, kind: cancelJob, concurrency: cancelsMax },
    run: (job: Job<CancelPayload>, signal) => cancelAttempt({ ...deps.cancelling, wakePolls: attempts.wake }, job, signal),
  })
  const expiry = startJobWorker({
    ...common,
    kind: expireJob,
    concurrency: 1,
    // It runs rarely, so it need not be looked for often.
    pollEveryMs: Math.min(60_000, expiring.expireEveryMs),
    run: (job, signal) => expire(expiring, job, signal),
  })
  const planned = planJobs({ sql, log, jobs: [{ kind: expireJob, id: expireJobId }], planned: expiry.wake })
  const routes = every(deps.routesLookEveryMs, deps.routes.look, { log, name: 'look at routes and keys' })
  const holds = every(deps.routesLookEveryMs, deps.holds.look, { log, name: 'look at held routes' })
  return {
    wake: attempts.wake,
    wakeCancels: cancels.wake,
    components: [
      { name: 'routes', stop: () => Promise.all([routes.stop(), holds.stop()]) },
      { name: 'expiry', stop: () => Promise.all([planned.stop(), expiry.stop()]) },
      { name: 'cancels', stop: cancels.stop },
      { name: 'copies', stop: () => Promise.all([copies.stop(), recopies.stop()]) },
      { name: 'polls', stop: attempts.stop },
    ],
  }
}
