import type { TransactionSql } from '@filmgate/kit/database/postgres'
import { insertJobs, runJobsNow } from '@filmgate/kit/jobs/job-repository'
import { refreshKind } from '../job-kinds'
import { listUnpaid } from './purchase-repository'

/**
 * For an account that is being closed: refreshes its unpaid purchases now, which ends their open checkouts. See
 * `refreshPurchase`.
 */
export async function endCheckouts(sql: TransactionSql, accountId: string): Promise<void> {
  const ids = await listUnpaid(sql, accountId)
  if (ids.length === 0) return
  await insertJobs(
    sql,
    ids.map(id => ({ kind: refreshKind, id, fairnessKey: accountId })),
  )
  await runJobsNow(sql, refreshKind, ids)
}
