import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { pause } from './deadline'
import { claimJobs, countWaitingJobs, findTakenJobs, isLetGo, type Job, releaseJobs, renewJobs } from './jobs-repository'
import type { Log } from './log'
import { counter, gauge, late } from './metrics'
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

const failed = counter('jobs_failed', 'Runs of jobs that threw', { kind: late })
const lost = counter('jobs_lost', 'Jobs whose lease was taken over while they ran', { kind: late })

/** `ended`: the database says so; whoever ended the job, its run has only to return. */
type Running<P> = { job: Job<P>; abort: AbortController; leaseTimer: Timer | undefined; ended: boolean; done: Promise<void> }

/**
 * Claims and runs jobs of one kind until stopped; renews their leases while they run. A lease that is lost, or could not be renewed in
 * time, aborts its run: another process may have the job by then. On stop, runs are aborted and their jobs given back.
 */
export function startJobWorker<P>({ sql, log, kind, concurrency, leaseMs, pollEveryMs, run }: JobWorkerOptions<P>): JobWorker {
  const stopping = new AbortController()
  failed.declare({ kind: [kind] })
  lost.declare({ kind: [kind] })
  const running = new Map<string, Running<P>>()
  let woken = new AbortController()

  function start(job: Job<P>, leaseUntil: number) {
    // The same job at a later epoch: this process lost the lease without noticing, and has claimed it again.
    lose(running.get(job.id), 'claimed again')
    const abort = new AbortController()
    const entry: Running<P> = { job, abort, leaseTimer: undefined, ended: false, done: Promise.resolve() }
    running.set(job.id, entry)
    arm(entry, leaseUntil)
    entry.done = run(job, abort.signal)
      .catch(error => {
        if (abort.signal.aborted) return log.info({ err: error, kind, job: job.id }, 'job aborted')
        failed.add(1, { kind })
        log.error({ err: error, kind, job: job.id, tries: job.tries }, 'job failed, it is due again when its lease ends')
      })
      .finally(() => {
        clearTimeout(entry.leaseTimer)
        if (running.get(job.id) === entry) running.delete(job.id)
        woken.abort()
      })
  }

  function arm(entry: Running<P>, leaseUntil: number) {
    clearTimeout(entry.leaseTimer)
    entry.leaseTimer = setTimeout(() => lose(entry, 'lease ran out'), leaseUntil - performance.now())
  }

  function lose(entry: Running<P> | undefined, words: string) {
    if (!entry || entry.abort.signal.aborted) return
    // A run that has ended its job, or given it back, and has only to return loses nothing.
    if (!entry.ended && !isLetGo(entry.job)) {
      lost.add(1, { kind })
      log.warn({ kind, job: entry.job.id, epoch: entry.job.epoch }, words)
    }
    entry.abort.abort(new Error(words))
  }

  async function claimLoop(): Promise<void> {
    while (!stopping.signal.aborted) {
      woken = new AbortController()
      const free = concurrency - running.size
      const claimed = free > 0 ? await claim(free) : 0
      if (claimed < free || free === 0) await pause(pollEveryMs, woken.signal)
    }
  }

  async function claim(free: number): Promise<number> {
    const leaseUntil = performance.now() + leaseMs
    try {
      const jobs = await claimJobs<P>(sql, kind, leaseOwner, leaseMs, free)
      if (stopping.signal.aborted) await giveBack(jobs)
      else for (const job of jobs) start(job, leaseUntil)
      return jobs.length
    } catch (error) {
      log.warn({ err: error, kind }, 'claiming failed')
      return 0
    }
  }

  async function renewLoop(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(leaseMs / 3, stopping.signal)
      const entries = [...running.values()]
      if (entries.length > 0) await renew(entries).catch(error => log.warn({ err: error, kind }, 'renewing leases failed'))
    }
  }

  async function renew(entries: Running<P>[]): Promise<void> {
    const leaseUntil = performance.now() + leaseMs
    const became = await renewLeases(sql, entries, leaseMs)
    for (const entry of entries.filter(one => running.get(one.job.id) === one)) {
      const lease = became(entry.job)
      if (lease === 'renewed') arm(entry, leaseUntil)
      else if (lease === 'taken') lose(entry, 'lease lost')
      else end(entry)
    }
  }

  /** What can't be given back is due again when its lease ends. */
  const giveBack = (jobs: Job[]) => releaseJobs(sql, jobs, leaseOwner).catch(error => log.warn({ err: error, kind }, 'jobs not given back'))

  const loops = [claimLoop(), renewLoop()]
  return {
    wake: () => woken.abort(),
    async stop() {
      stopping.abort()
      woken.abort()
      const entries = [...running.values()]
      for (const { abort } of entries) abort.abort(new Error('stopping'))
      await Promise.all(loops)
      await Promise.all([...running.values()].map(entry => entry.done))
      await giveBack(entries.map(({ job }) => job))
    },
  }
}

function end(entry: Running<unknown>): void {
  clearTimeout(entry.leaseTimer)
  entry.ended = true
}

/** Renews what is still held. What is neither held nor taken over was ended, or given back, by its own run. */
async function renewLeases(sql: Sql, holders: { job: Job }[], leaseMs: number): Promise<(job: Job) => 'renewed' | 'taken' | 'ended'> {
  const jobs = holders.map(({ job }) => job)
  const held = await renewJobs(sql, jobs, leaseMs)
  const missing = jobs.filter(({ id }) => !held.has(id))
  const taken = missing.length > 0 ? await findTakenJobs(sql, missing) : new Set<string>()
  return ({ id }) => (held.has(id) ? 'renewed' : taken.has(id) ? 'taken' : 'ended')
}

/** Exposes the jobs waiting in this database, by kind. */
export const exposeWaitingJobs = (sql: Sql): void =>
  gauge('jobs_waiting', 'Jobs due and not leased', async () =>
    (await countWaitingJobs(sql)).map(({ kind, waiting }) => ({ value: waiting, attributes: { kind } })),
  )
