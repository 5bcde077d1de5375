import type { Sql } from '@filmgate/kit/database/postgres'
import { endingSoonAfter, pause } from '@filmgate/kit/deadline'
import { startClaimLoop } from '@filmgate/kit/jobs/claim-loop'
import type { Log } from '@filmgate/kit/telemetry/log'
import { counter, histogram } from '@filmgate/kit/telemetry/metrics'
import type { DeliveryStatus } from '../deliveries/delivery'
import { type AttemptDeps, attempt } from './attempt'
import { type Claimed, claimDeliveries, type Lane, lanes, releaseDeliveries } from './claim-repository'
import { createRecorder, type RecordDeps } from './record-outcomes'

export type SenderDeps = AttemptDeps & RecordDeps & { sql: Sql; log: Log; attemptsMax: number; leaseMs: number; retryForSeconds: number }

export type Sender = { wake(): void; stop(): Promise<void> }

const outcomeOf = { delivered: 'delivered', pending: 'retry', failed: 'failed' } as const satisfies Record<DeliveryStatus, string>
const outcomes = ['delivered', 'retry', 'failed', 'interrupted', 'lost', 'fault'] as const
const attempts = counter('webhook_attempts', 'Attempts to deliver a webhook, by what became of it', { outcome: outcomes })
const seconds = histogram('webhook_attempt_seconds', 'Time of an attempt to deliver a webhook', [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20])

/** Finds retries, expired leases and what another replica received. */
const pollEveryMs = 500
/** Attempts that begin together time out together: where endpoints may fail, they begin a few at a time, and the others wait for no burst. */
const gradual = { claimMax: 16, everyMs: 100 }
/** Attempts that are under way when the service stops get so long to end. */
const stopGraceMs = 5_000

/**
 * Sends what is due. Each lane has attempts of its own: however many endpoints fail or are slow, the others wait for none of them.
 */
export function startSender(deps: SenderDeps): Sender {
  const { sql, log, attemptsMax, leaseMs, retryForSeconds } = deps
  const stopping = new AbortController()
  const aborting = new AbortController()
  const started = lanes.map(startLane)
  const wake = () => {
    for (const { loop } of started) loop.wake()
  }

  function startLane(lane: Lane) {
    const running = new Set<Promise<void>>()
    // A transaction locks the endpoints of its attempts: those that work are not to wait for hundreds that fail.
    const recordOutcome = createRecorder(deps)
    const claimMax = lane === 'prompt' ? attemptsMax : gradual.claimMax
    async function claim(limit: number): Promise<number> {
      try {
        const claimed = await claimDeliveries(sql, { lane, retryForSeconds, leaseMs, limit })
        if (stopping.signal.aborted) await giveBack(claimed)
        else for (const one of claimed) start(one)
        if (lane !== 'prompt') await pause(gradual.everyMs, stopping.signal)
        return claimed.length
      } catch (error) {
        log.warn({ err: error }, 'claiming deliveries failed')
        return 0
      }
    }
    function start(claimed: Claimed) {
      const done = send(claimed, recordOutcome).finally(() => {
        running.delete(done)
        loop.wake()
      })
      running.add(done)
    }
    const loop = startClaimLoop({ room: () => Math.min(claimMax, attemptsMax - running.size), claim, pollEveryMs })
    return { running, loop }
  }

  async function send(claimed: Claimed, recordOutcome: ReturnType<typeof createRecorder>): Promise<void> {
    try {
      const ended = await attempt(deps, claimed, aborting.signal)
      seconds.record(ended.duration_ms / 1_000)
      const status = await recordOutcome({ claimed, attempt: ended })
      attempts.add(1, { outcome: status ? outcomeOf[status] : 'lost' })
    } catch (error) {
      if (aborting.signal.aborted) {
        attempts.add(1, { outcome: 'interrupted' })
        return giveBack([claimed])
      }
      attempts.add(1, { outcome: 'fault' })
      log.error({ err: error, delivery: claimed.id }, 'attempt not made or not recorded, due again when its lease ends')
    }
  }

  /** What can't be given back is due again when its lease ends. */
  async function giveBack(claimed: Claimed[]): Promise<void> {
    if (claimed.length === 0) return
    await releaseDeliveries(sql, claimed).catch(error => log.warn({ err: error }, 'deliveries not released'))
  }

  return {
    wake,
    async stop() {
      stopping.abort()
      await Promise.all(started.map(({ loop }) => loop.stop()))
      const ended = Promise.all(started.flatMap(({ running }) => [...running]))
      await Promise.race([ended, pause(stopGraceMs)])
      aborting.abort(new Error('stopping'))
      await endingSoonAfter(ended, aborting.signal, stopGraceMs, 'attempts').catch(error => log.warn({ err: error }, 'attempts left'))
    },
  }
}
