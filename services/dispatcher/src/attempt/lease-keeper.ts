import { pause } from '@filmgate/kit/deadline'
import { type Job, renewJobs } from '@filmgate/kit/jobs-repository'
import type { Log } from '@filmgate/kit/log'
import type { Sql } from '@filmgate/kit/postgres'

export type Lease = {
  job: Job
  /** Aborts when the lease is lost, or could not be renewed in time. */
  signal: AbortSignal
  release(): void
}

export type LeaseKeeper = {
  /** `heldSinceMs`: performance.now() from before the lease was asked for. */
  keep(job: Job, heldSinceMs: number): Lease
  stop(): Promise<void>
}

type Kept = { job: Job; abort: AbortController; endTimer: Timer | undefined }

/** Renews leases that were given at birth, as long as their holders work. */
export function createLeaseKeeper({ sql, log, leaseMs }: { sql: Sql; log: Log; leaseMs: number }): LeaseKeeper {
  const stopping = new AbortController()
  const kept = new Set<Kept>()

  /** A timer of its own: a renewal that hangs must not keep a sender from learning that its lease ended. */
  function endAt(one: Kept, endsAtMs: number): void {
    clearTimeout(one.endTimer)
    one.endTimer = setTimeout(() => one.abort.abort(new Error('lease ended')), Math.max(0, endsAtMs - performance.now()))
  }

  async function renew(): Promise<void> {
    const asked = [...kept]
    if (asked.length === 0) return
    const askedAtMs = performance.now()
    const held = await renewJobs(
      sql,
      asked.map(one => one.job),
      leaseMs,
    )
    for (const one of asked) {
      if (!kept.has(one)) continue
      if (held.has(one.job.id)) endAt(one, askedAtMs + leaseMs)
      else one.abort.abort(new Error('lease lost'))
    }
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(leaseMs / 4, stopping.signal)
      await renew().catch(error => log.warn({ err: error }, 'renewing leases of submits failed'))
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
