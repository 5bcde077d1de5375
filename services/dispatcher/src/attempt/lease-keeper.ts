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

type Kept = { job: Job; abort: AbortController; endsAtMs: number }

/** Renews leases that were given at birth, as long as their holders work. */
export function createLeaseKeeper({ sql, log, leaseMs }: { sql: Sql; log: Log; leaseMs: number }): LeaseKeeper {
  const stopping = new AbortController()
  const kept = new Set<Kept>()

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
      if (held.has(one.job.id)) one.endsAtMs = askedAtMs + leaseMs
      else if (kept.has(one)) one.abort.abort(new Error('lease lost'))
    }
  }

  function abortEnded(): void {
    const nowMs = performance.now()
    for (const one of kept) if (nowMs >= one.endsAtMs) one.abort.abort(new Error('lease ended'))
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(leaseMs / 4, stopping.signal)
      await renew().catch(error => log.warn({ err: error }, 'renewing leases of submits failed'))
      abortEnded()
    }
  }

  const looping = loop()
  return {
    keep(job, heldSinceMs) {
      const one: Kept = { job, abort: new AbortController(), endsAtMs: heldSinceMs + leaseMs }
      kept.add(one)
      return { job, signal: one.abort.signal, release: () => kept.delete(one) }
    },
    async stop() {
      stopping.abort()
      await looping
    },
  }
}
