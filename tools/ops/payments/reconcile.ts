import { listOf } from '@filmgate/proto/operator/answer'
import { ReconciliationRun } from '@filmgate/proto/operator/payment'
import { type Call, callFor } from '../operator-api'
import { type Waiting, waitForRun } from '../wait-for-run'

export type ReconcileInput = { from: string; to?: string; dryRun?: boolean; reason: string; by: string }

/** Has the console reconcile a period with Stripe, and waits for its end. */
export function paymentsReconcile(call: Call, { from, to, dryRun = false, reason, by }: ReconcileInput, waiting?: Waiting) {
  const body = { from, ...(to && { to }), dry_run: dryRun, reason, by }
  return waitForRun(call, { answer: ReconciliationRun, path: '/payments/reconciliations', name: 'reconciliation' }, body, waiting)
}

/** The latest, newest first, without what each found. */
export async function paymentsReconciliations(call: Call) {
  const { data } = await callFor(call, listOf(ReconciliationRun), 'console', 'GET', '/payments/reconciliations')
  return data.map(({ findings: _, ...run }) => run)
}
