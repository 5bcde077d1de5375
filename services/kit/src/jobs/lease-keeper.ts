import type { Sql } from '../database/postgres'
import { pause } from '../deadline'
import type { Log } from '../telemetry/log'
import { findTakenJobs, type Job, renewJobs } from './job-repository'

export type Lease = {
  job: Job
  /** Aborts when the lease is lost, or could not be renewed in time. */
  signal: AbortSignal
  /** Renews it no longer: the holder has done its work. */
  release(): void
}

export type LeaseKeeper = {
  /** `heldSinceMs`: performance.now() from before the lease was asked for. */
  keep(job: Job, heldSinceMs: number): Lease
  stop(): Promise<void>
}

export type LeaseKeeperOptions = {
  sql: Sql
  log: Pick<Log, 'warn'>
  /** The kind of its jobs. */
  kind: string
  leaseMs: number
  renewEveryMs: number
  /**
   * Whether a job that is neither held nor taken over, because it was ended or given back, ends its holder's work too: a request to
   * another system must not go on for it. Otherwise the holder has ended the job itself and has only to return.
   */
  goneIsLost?: boolean
}

/** What a lease that was not renewed in time aborts with; one that another has taken over aborts with "lease lost". */
export const leaseEnded = 'lease ended'

type Kept = { job: Job; abort: AbortController; endTimer: Timer | undefined }

/** Renews the leases of jobs, all of them in one statement, as long as their holders work. */
export function createLeaseKeeper({ sql, log, kind, leaseMs, renewEveryMs, goneIsLost = false }: LeaseKeeperOptions): LeaseKeeper {
  const stopping = new AbortController()
  const kept = new Set<Kept>()

  /** A timer of its own: a renewal that hangs must not keep a holder from learning that its lease ended. */
  function endAt(one: Kept, endsAtMs: number): void {
    clearTimeout(one.endTimer)
    one.endTimer = setTimeout(() => one.abort.abort(new Error(leaseEnded)), Math.max(0, endsAtMs - performance.now()))
  }

  async function renew(): Promise<void> {
    const asked = [...kept]
    if (asked.length === 0) return
    const askedAtMs = performance.now()
    const jobs = asked.map(({ job }) => job)
    const held = await renewJobs(sql, jobs, leaseMs)
    const missing = jobs.filter(({ id }) => !held.has(id))
    const taken = missing.length > 0 && !goneIsLost ? await findTakenJobs(sql, missing) : new Set<string>()
    for (const one of asked) {
      if (!kept.has(one)) continue
      if (held.has(one.job.id)) endAt(one, askedAtMs + leaseMs)
      else if (goneIsLost || taken.has(one.job.id)) one.abort.abort(new Error('lease lost'))
      else letReturn(one)
    }
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(renewEveryMs, stopping.signal)
      await renew().catch(error => log.warn({ err: error, kind }, 'renewing leases failed'))
    }
  }

  const looping = loop()
  return {
    keep(job, heldSinceMs) {
      const one: Kept = { job, abort: new AbortController(), endTimer: undefined }
      kept.add(one)
      endAt(one, heldSinceMs + leaseMs)
      return {
        job,
        signal: one.abort.signal,
        release() {
          kept.delete(one)
          clearTimeout(one.endTimer)
        },
      }
    },
    async stop() {
      stopping.abort()
      await looping
    },
  }
}

/** The database says that its holder has ended the job, or given it back: nothing can be lost any more. */
function letReturn(one: Kept): void {
  clearTimeout(one.endTimer)
  one.job.released = true
}
