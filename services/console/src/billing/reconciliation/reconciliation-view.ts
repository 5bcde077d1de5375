import type { ReconciliationRun } from '@filmgate/proto/operator/payment'
import type { Reconciliation } from './reconciliation'

/** The JSON of the operator API. */
export const reconciliationView = ({ findings, ...run }: Reconciliation): ReconciliationRun => ({
  id: run.id,
  state: run.state,
  requested_by: run.requestedBy,
  from: run.from.toISOString(),
  to: run.to.toISOString(),
  dry_run: run.dryRun,
  livemode: run.livemode,
  charges: run.charges,
  refunds: run.refunds,
  disputes: run.disputes,
  missed: run.missed,
  differences: run.total,
  fault: run.fault,
  created_at: run.createdAt.toISOString(),
  ended_at: run.endedAt?.toISOString() ?? null,
  findings: findings.map(({ check, purchaseId, detail }) => ({ check, purchase_id: purchaseId, detail })),
})
