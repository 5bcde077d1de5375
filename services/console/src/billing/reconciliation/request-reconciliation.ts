import type { Sql } from '@filmgate/kit/database/postgres'
import { insertJobs } from '@filmgate/kit/jobs/job-repository'
import { uuidv7 } from 'uuidv7'
import { reconcileKind } from '../job-kinds'
import type { Reconciliation } from './reconciliation'
import { findReconciliation, insertReconciliation } from './run-repository'

export type ReconciliationInput = Pick<Reconciliation, 'from' | 'to' | 'dryRun' | 'livemode'> & { requestedBy: string; reason: string }

/** Starts a manual reconciliation. Returns undefined if another manual one is running. */
export const requestReconciliation = (sql: Sql, input: ReconciliationInput): Promise<Reconciliation | undefined> =>
  sql.begin(async sql => {
    const id = uuidv7()
    if (!(await insertReconciliation(sql, { id, ...input }))) return undefined
    await insertJobs(sql, [{ kind: reconcileKind, id }])
    return findReconciliation(sql, id)
  })
