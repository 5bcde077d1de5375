import { setTimeout as pause } from 'node:timers/promises'
import { Resent } from '@filmgate/proto/operator/bus'
import { type Call, callFor } from './operator-api'
import type { Service } from './settings'

export type ResendInput = {
  service: Service
  topic?: string
  since: string
  until?: string
  limit?: number
  dryRun?: boolean
  reason: string
  by: string
}
type Steps = { signal?: AbortSignal; progress?(words: string): void }

const portionRows = 1_000
/** Half of what FilmgateOutboxStuck calls too many. */
const waitingRowsMax = 5_000
const pauseMs = 1_000
const limitMax = 1_000_000_000

/** Has a service send again what it published within a time, in portions; waits while the broker does not keep up. */
export async function outboxResend(call: Call, { signal, progress = () => {}, ...input }: ResendInput & Steps) {
  const { service, topic, since, dryRun, reason, by, limit = limitMax } = input
  let { until } = input
  const ask = async (rows: number) => {
    const body = { ...(topic && { topic }), since, ...(until && { until }), limit: rows, dry_run: dryRun ?? false, reason, by }
    return callFor(call, Resent, service, 'POST', '/outbox/resend', body)
  }
  if (dryRun) {
    const { events, until } = await ask(limit)
    return { service, would_resend: events, since, until }
  }
  let resent = 0
  while (resent < limit && !signal?.aborted) {
    const { events, waiting, until: end } = await ask(Math.min(portionRows, limit - resent))
    // Kept for the next portion: what is sent again is published anew, and would be met once more.
    until = end
    if (events === 0) break
    resent += events
    progress(`${resent} put back, ${waiting} wait to be published`)
    if (waiting > waitingRowsMax) await pause(pauseMs, undefined, { signal }).catch(() => {})
  }
  return { service, resent, since, until: until ?? null, interrupted: signal?.aborted ?? false }
}
