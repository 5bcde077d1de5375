import { setTimeout as pause } from 'node:timers/promises'
import { OpsFault } from '../fault'
import type { Call, Json } from '../operator-api'

export type ReconcileInput = { from: string; to?: string; dryRun?: boolean; reason: string; by: string }
type Steps = { signal?: AbortSignal; progress?(words: string): void; everyMs?: number }
type Run = { [name: string]: Json } & { id: string; state: string; fault: string | null; differences: number; findings: Json[] }

const lookEveryMs = 1_000

/** Has the console reconcile a period with Stripe, and waits for its end; Ctrl-C ends the waiting alone. */
export async function paymentsReconcile(
  call: Call,
  input: ReconcileInput,
  { signal, progress = () => {}, everyMs = lookEveryMs }: Steps = {},
) {
  const { from, to, dryRun = false, reason, by } = input
  const body = { from, ...(to && { to }), dry_run: dryRun, reason, by }
  let run = (await call('console', 'POST', '/payments/reconciliations', body)) as Run
  progress(`the reconciliation ${run.id} has begun`)
  while (run.state === 'running' && !signal?.aborted) {
    await pause(everyMs, undefined, { signal }).catch(() => {})
    run = (await call('console', 'GET', `/payments/reconciliations/${run.id}`)) as Run
  }
  if (run.state === 'failed') throw new OpsFault(`The reconciliation ${run.id} failed: ${run.fault}.`)
  return run
}

/** The latest, newest first, without what each found. */
export async function paymentsReconciliations(call: Call): Promise<Json> {
  const { data } = (await call('console', 'GET', '/payments/reconciliations')) as { data: Run[] }
  return data.map(({ findings: _, ...run }) => run)
}
