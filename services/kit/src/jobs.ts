import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { pause } from './deadline'
import { claimJobs, countWaitingJobs, type Job, renewJobs } from './jobs-repository'
import type { Log } from './log'
import { counter, gauge } from './metrics'
import type { Sql } from './postgres'

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

const failed = counter('jobs_failed', 'Runs of jobs that threw')
const lost = counter('jobs_lost', 'Jobs whose lease was taken over while they ran')

/** Claims and runs jobs of one kind until stopped; renews their leases while they run. On stop, running jobs are aborted and fall to another process when their lease ends. */
export function startJobWorker<P>({ sql, log, kind, concurrency, leaseMs, pollEveryMs, run }: JobWorkerOptions<P>): JobWorker {
  const stopping = new AbortController()
  const running = new Map<string, { job: Job<P>; abort: AbortController; done: Promise<void> }>()
  let woken = new AbortController()

  function start(job: Job<P>) {
    const abort = new AbortController()
    const done = run(job, AbortSignal.any([abort.signal, stopping.signal]))
      .catch(error => {
        if (stopping.signal.aborted) return
        failed.add(1, { kind })
        log.error({ err: error, kind, job: job.id, tries: job.tries }, 'job failed, it is due again when its lease ends')
      })
      .finally(() => {
        running.delete(job.id)
        woken.abort()
      })
    running.set(job.id, { job, abort, done })
  }

  async function claimLoop(): Promise<void> {
    while (!stopping.signal.aborted) {
      woken = new AbortController()
      const free = concurrency - running.size
      const claimed = free > 0 ? await claim(free) : []
      claimed.forEach(start)
      if (claimed.length < free || free === 0) await pause(pollEveryMs, AbortSignal.any([woken.signal, stopping.signal]))
    }
  }

  const claim = (free: number): Promise<Job<P>[]> =>
    claimJobs<P>(sql, kind, leaseOwner, leaseMs, free).catch(error => {
      log.warn({ err: error, kind }, 'claiming failed')
      return []
    })

  async function renewLoop(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(leaseMs / 3, stopping.signal)
      if (running.size > 0) await renew([...running.values()]).catch(error => log.warn({ err: error, kind }, 'renewing leases failed'))
    }
  }

  async function renew(entries: { job: Job<P>; abort: AbortController }[]): Promise<void> {
    const held = await renewJobs(
      sql,
      entries.map(entry => entry.job),
      leaseMs,
    )
    for (const { job, abort } of entries) {
      // Ended in between is not lost.
      if (held.has(job.id) || !running.has(job.id)) continue
      lost.add(1, { kind })
      abort.abort(new Error('lease lost'))
    }
  }

  const loops = [claimLoop(), renewLoop()]
  return {
    wake: () => woken.abort(),
    async stop() {
      stopping.abort(new Error('stopping'))
      await Promise.all(loops)
      await Promise.all([...running.values()].map(entry => entry.done))
    },
  }
}

/** Exposes the jobs waiting in this database, by kind. */
export const exposeWaitingJobs = (sql: Sql): void =>
  gauge('jobs_waiting', 'Jobs due and not leased', async () =>
    (await countWaitingJobs(sql)).map(({ kind, waiting }) => ({ value: waiting, attributes: { kind } })),
  )
