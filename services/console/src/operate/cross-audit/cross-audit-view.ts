import type { CrossAuditRun } from '@filmgate/proto/operator/cross-audit'
import { type CrossAudit, totalOf } from './cross-audit'

/** The JSON of the operator API. */
export const crossAuditView = (run: CrossAudit): CrossAuditRun => ({
  id: run.id,
  state: run.state,
  requested_by: run.requestedBy,
  since: run.since.toISOString(),
  until: run.until.toISOString(),
  fault: run.fault,
  differences: totalOf(run),
  compared: Object.entries(run.compared).map(([comparison, { rows, differences }]) => ({ comparison, rows, differences })),
  findings: run.findings.map(({ foundAt, ...finding }) => ({ ...finding, found_at: foundAt })),
  created_at: run.createdAt.toISOString(),
  ended_at: run.endedAt?.toISOString() ?? null,
})
