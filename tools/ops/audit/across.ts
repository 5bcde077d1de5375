import { setTimeout as pause } from 'node:timers/promises'
import { CrossAuditRun } from '@filmgate/proto/operator/cross-audit'
import { OpsFault } from '../fault'
import { type Call, callFor } from '../operator-api'

export type AcrossInput = { since?: string; grace?: number; by: string }
type Steps = { signal?: AbortSignal; everyMs?: number }

const lookEveryMs = 1_000

/** Has the console compare the databases of the services, and waits for the end; Ctrl-C ends the waiting alone. */
export async function auditAcross(call: Call, { since, grace, by }: AcrossInput, { signal, everyMs = lookEveryMs }: Steps = {}) {
  const body = { ...(since && { since }), ...(grace !== undefined && { grace_seconds: grace }), by }
  let run = await callFor(call, CrossAuditRun, 'console', 'POST', '/cross-audits', body)
  while (run.state === 'running' && !signal?.aborted) {
    await pause(everyMs, undefined, { signal }).catch(() => {})
    run = await callFor(call, CrossAuditRun, 'console', 'GET', `/cross-audits/${run.id}`)
  }
  if (run.state === 'failed') throw new OpsFault(`The cross-audit ${run.id} failed: ${run.fault}`)
  return run
}
