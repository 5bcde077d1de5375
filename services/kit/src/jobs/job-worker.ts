import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Sql } from '../database/postgres'
import type { Log } from '../telemetry/log'
import { counter, gauge, late } from '../telemetry/metrics'
import { startClaimLoop } from './claim-loop'
import { claimJobs, countWaitingJobs, type Job, releaseJobs } from './job-repository'
import { createLeaseKeeper, type Lease, leaseEnded } from './lease-keeper'

/** Names this process in leases. */
export const leaseOwner = `${hostname()}-${randomUUID().slice(0, 8)}`

export type JobWorkerOptions<P> = {
  sql: Sql
  log: Log
  kind: string
  /** Jobs run at one moment by this process. */
  concurrency: number
  leaseMs: number
  /** How often the table is asked where nobody calls `wake`. */
  pollEveryMs: number
  /**
   * Does the work and ends or reschedules the job in its own transaction, guarded by the epoch. `signal` aborts when the lease is lost
   * or the process stops. What it throws is logged; the job is due again when its lease ends.
   */
  run(job: Job<P>, signal: AbortSignal): Promise<void>
}

export type JobWorker = { wake(): void; stop(): Promise<void> }

const failed = counter('jobs_failed', 'Runs of jobs that threw', { kind: late })
const lost = counter('jobs_lost', 'Jobs whose lease was taken over while they ran', { kind: late })

type Running<P> = { job: Job<P>; abort: AbortController; lease: Lease; done: Promise<void> }

/**
 * Claims and runs jobs of one kind until stopped; renews their leases while they run. A lease that is lost, or could not be renewed in
 * time, aborts its run: another process may have the job by then. On stop, runs are aborted and their jobs given back.
 */
export function startJobWorker<P>({ sql, log, kind, concurrency, leaseMs, pollEveryMs, run }: JobWorkerOptions<P>): JobWorker {
  const stopping = new AbortController()
  failed.declare({ kind: [kind] })
  lost.declare({ kind: [kind] })
  const running = new Map<string, Running<P>>()
  const leases = createLeaseKeeper({ sql, log, kind, leaseMs, renewEveryMs: leaseMs / 3 })

  function start(job: Job<P>, heldSinceMs: number) {
    // The same job at a later epoch: this process lost the lease without noticing, and has claimed it again.
    const before = running.get(job.id)
    lose(before, 'claimed again')
    before?.lease.release()
    const abort = new AbortController()
    const lease = leases.keep(job, heldSinceMs)
    const entry: Running<P> = { job, abort, lease, done: Promise.resolve() }
    running.set(job.id, entry)
    lease.signal.addEventListener('abort', () => lose(entry, lease.signal.reason.message === leaseEnded ? 'lease ran out' : 'lease lost'))
    entry.done = run(job, abort.signal)
      .catch(error => {
        if (abort.signal.aborted) return log.info({ err: error, kind, job: job.id }, 'job aborted')
        failed.add(1, { kind })
        log.error({ err: error, kind, job: job.id, tries: job.tries }, 'job failed, due again when its lease ends')
      })
      .finally(() => {
        lease.release()
        if (running.get(job.id) === entry) running.delete(job.id)
        claiming.wake()
      })
  }

  function lose(entry: Running<P> | undefined, words: string) {
    if (!entry || entry.abort.signal.aborted) return
    if (!entry.job.released) {
      lost.add(1, { kind })
      log.warn({ kind, job: entry.job.id, epoch: entry.job.epoch }, words)
    }
    entry.abort.abort(new Error(words))
  }

  async function claim(limit: number): Promise<number> {
    const heldSinceMs = performance.now()
    try {
      const jobs = await claimJobs<P>(sql, kind, leaseOwner, leaseMs, limit)
      if (stopping.signal.aborted) await giveBack(jobs)
      else for (const job of jobs) start(job, heldSinceMs)
      return jobs.length
    } catch (error) {
      log.warn({ err: error, kind }, 'claiming failed')
      return 0
    }
  }

  /** What can't be given back is due again when its lease ends. */
  const giveBack = (jobs: Job[]) => releaseJobs(sql, jobs, leaseOwner).catch(error => log.warn({ err: error, kind }, 'jobs not released'))

  const claiming = startClaimLoop({ room: () => concurrency - running.size, claim, pollEveryMs })
  return {
    wake: claiming.wake,
    async stop() {
      stopping.abort()
      const stopped = Promise.all([claiming.stop(), leases.stop()])
      const entries = [...running.values()]
      for (const { abort } of entries) abort.abort(new Error('stopping'))
      await stopped
      await Promise.all([...running.values()].map(entry => entry.done))
      await giveBack(entries.map(({ job }) => job))
    },
  }
}

/** Exposes the jobs waiting in this database, by kind. */
export const exposeWaitingJobs = (sql: Sql): void =>
  gauge('jobs_waiting', 'Jobs due and not leased', async () =>
    (await countWaitingJobs(sql)).map(({ kind, waiting }) => ({ value: waiting, attributes: { kind } })),
  )
