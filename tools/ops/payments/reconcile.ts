import { setTimeout as pause } from 'node:timers/promises'
import { listOf } from '@filmgate/proto/operator/answer'
import { ReconciliationRun } from '@filmgate/proto/operator/payment'
import { OpsFault } from '../fault'
import { type Call, callFor } from '../operator-api'

export type ReconcileInput = { from: string; to?: string; dryRun?: boolean; reason: string; by: string }
type Steps = { signal?: AbortSignal; progress?(words: string): void; everyMs?: number }

const lookEveryMs = 1_000

/** Has the console reconcile a period with Stripe, and waits for its end; Ctrl-C ends the waiting alone. */
export async function paymentsReconcile(
  call: Call,
  input: ReconcileInput,
  { signal, progress = () => {}, everyMs = lookEveryMs }: Steps = {},
) {
  const { from, to, dryRun = false, reason, by } = input
  const body = { from, ...(to && { to }), dry_run: dryRun, reason, by }
  let run = await callFor(call, ReconciliationRun, 'console', 'POST', '/payments/reconciliations', body)
  progress(`the reconciliation ${run.id} has begun`)
  while (run.state === 'running' && !signal?.aborted) {
    await pause(everyMs, undefined, { signal }).catch(() => {})
    run = await callFor(call, ReconciliationRun, 'console', 'GET', `/payments/reconciliations/${run.id}`)
  }
  if (run.state === 'failed') throw new OpsFault(`The reconciliation ${run.id} failed: ${run.fault}.`)
  return run
}

/** The latest, newest first, without what each found. */
export async function paymentsReconciliations(call: Call) {
  const { data } = await callFor(call, listOf(ReconciliationRun), 'console', 'GET', '/payments/reconciliations')
  return data.map(({ findings: _, ...run }) => run)
}
