import { Audit } from '@filmgate/proto/operator/books'
import { CrossAuditRun } from '@filmgate/proto/operator/cross-audit'
import { type Call, callFor } from '../operator-api'
import { type Waiting, waitForRun } from '../wait-for-run'

/** Checks the invariants of the money now, of what is new or of everything; findings are empty when it is whole. */
export const auditBooks = (call: Call, { full }: { full?: boolean }) =>
  callFor(call, Audit, 'ledger', 'POST', full ? '/audit?full=true' : '/audit')

export type AcrossInput = { since?: string; grace?: number; by: string }

/** Has the console compare the databases of the services, and waits for the end. */
export function auditAcross(call: Call, { since, grace, by }: AcrossInput, waiting?: Waiting) {
  const body = { ...(since && { since }), ...(grace !== undefined && { grace_seconds: grace }), by }
  return waitForRun(call, { answer: CrossAuditRun, path: '/cross-audits', name: 'cross-audit' }, body, waiting)
}
