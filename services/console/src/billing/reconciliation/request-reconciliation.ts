import type { Sql } from '@filmgate/kit/database/postgres'
import { insertJobs } from '@filmgate/kit/jobs/job-repository'
import { uuidv7 } from 'uuidv7'
import { reconcileKind } from '../job-kinds'
import type { Reconciliation } from './reconciliation'
import { findReconciliation, insertReconciliation } from './run-repository'

export type Requested = Pick<Reconciliation, 'from' | 'to' | 'dryRun' | 'livemode'> & { requestedBy: string; reason: string }

/** Begins a reconciliation by hand. Undefined while another by hand runs. */
export const requestReconciliation = (sql: Sql, requested: Requested): Promise<Reconciliation | undefined> =>
  sql.begin(async sql => {
    const id = uuidv7()
    if (!(await insertReconciliation(sql, { id, ...requested }))) return undefined
    await insertJobs(sql, [{ kind: reconcileKind, id }])
    return findReconciliation(sql, id)
  })
