import type { TransactionSql } from '@filmgate/kit/database/postgres'
import { insertJobs, runJobsNow } from '@filmgate/kit/jobs/job-repository'
import { askKind } from '../job-kinds'
import { listUnpaid } from './purchase-repository'

/** Of an account that is being closed: Stripe is asked about each of its checkouts at once, and those that are open end there, see `askStripe`. */
export async function endCheckouts(sql: TransactionSql, accountId: string): Promise<void> {
  const ids = await listUnpaid(sql, accountId)
  if (ids.length === 0) return
  await insertJobs(
    sql,
    ids.map(id => ({ kind: askKind, id, fairnessKey: accountId })),
  )
  await runJobsNow(sql, askKind, ids)
}
