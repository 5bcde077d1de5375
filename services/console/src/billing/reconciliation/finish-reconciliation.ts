import { onOwnConnection, type Sql, type TransactionSql } from '@filmgate/kit/database/postgres'
import { invariant } from '@filmgate/kit/failure'
import { deleteHeldJobs, insertJobs, type Job, runJobsNow } from '@filmgate/kit/jobs/job-repository'
import type { Log } from '@filmgate/kit/telemetry/log'
import { refreshKind } from '../job-kinds'
import { compare } from './compare'
import { type ListedRow, listDifferent, listNotListed, listUnfinished } from './compare-repository'
import { type Difference, replaceDifferences } from './difference-repository'
import type { Reconciliation } from './reconciliation'
import { deleteListed, endReconciliation } from './run-repository'

const batchRows = 500
const statementTimeoutMs = 60_000
/** Maximum of differences to store and purchases to refresh: more of them have the same cause. */
const differencesMax = 1_000
/** The same as the sales audit. */
const findingsMax = 100

/**
 * Stores the differences that remain after everything listed was applied; the sales audit reports them. Refreshes
 * purchases of the period without a known end, because free ones are in none of Stripe's lists.
 */
export const finishReconciliation = ({ sql, log }: { sql: Sql; log: Log }, run: Reconciliation, job: Job): Promise<void> =>
  onOwnConnection(sql, statementTimeoutMs, async own => {
    const { id, dryRun } = run
    const found = await own.begin(async transaction => {
      const sql = transaction as TransactionSql
      const differences = [...(await stillDifferent(sql, run)), ...(await notListed(sql, run))]
      if (!dryRun) {
        await replaceDifferences(sql, run, differences.slice(0, differencesMax))
        await refreshPurchases(sql, await listUnfinished(sql, run, differencesMax))
      }
      await endReconciliation(sql, id, { total: differences.length, findings: differences.slice(0, findingsMax).map(findingOf) })
      await deleteListed(sql, id)
      invariant((await deleteHeldJobs(sql, [job])).has(id), `the reconciliation ${id} is leased by another worker`)
      return differences.length
    })
    log.info({ reconciliation: id, dryRun, differences: found }, 'reconciliation with Stripe finished')
  })

const findingOf = ({ check, purchaseId, detail }: Difference) => ({ check, purchaseId, detail })

async function stillDifferent(sql: TransactionSql, run: Reconciliation): Promise<Difference[]> {
  const differences: Difference[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: ListedRow[] = await listDifferent(sql, run.id, after, batchRows)
    const listed = rows.flatMap(({ fact, observedAt }) => (fact ? [{ fact, observedAt }] : []))
    for (const { objectId, finding } of await compare(sql, listed, run)) if (finding) differences.push({ objectId, ...finding })
    for (const { objectId, fault } of rows)
      if (fault !== null)
        differences.push({ objectId, check: 'unreadable', purchaseId: null, detail: `${objectId} can’t be read: ${fault}` })
    after = rows.length < batchRows ? undefined : rows.at(-1)?.objectId
  }
  return differences
}

const notListed = async (sql: TransactionSql, run: Reconciliation): Promise<Difference[]> =>
  (await listNotListed(sql, run, differencesMax)).map(({ purchaseId, objectId, kind }) => ({
    ...{ objectId, check: 'not_listed', purchaseId },
    detail: `the ${kind} ${objectId} is stored here but not listed by Stripe`,
  }))

async function refreshPurchases(sql: TransactionSql, purchases: { id: string; accountId: string }[]): Promise<void> {
  if (purchases.length === 0) return
  await insertJobs(
    sql,
    purchases.map(({ id, accountId }) => ({ kind: refreshKind, id, fairnessKey: accountId })),
  )
  await runJobsNow(
    sql,
    refreshKind,
    purchases.map(({ id }) => id),
  )
}
