import { onOwnConnection, type Sql, type TransactionSql } from '@filmgate/kit/database/postgres'
import { invariant } from '@filmgate/kit/failure'
import { deleteHeldJobs, insertJobs, type Job, runJobsNow } from '@filmgate/kit/jobs/job-repository'
import type { Log } from '@filmgate/kit/telemetry/log'
import { askKind } from '../job-kinds'
import { compare } from './compare'
import { type ListedRow, listDifferent, listNotListed, listUnended } from './compare-repository'
import { type Difference, replaceDifferences } from './difference-repository'
import type { Reconciliation } from './reconciliation'
import { deleteListed, endReconciliation } from './run-repository'

const batchRows = 500
const statementTimeoutMs = 60_000
/** Of differences and of purchases to ask about; where there are more the cause is one. */
const keptMax = 1_000
/** As the audit of sales keeps. */
const shownMax = 100

/**
 * What differs still after everything that was listed is applied is kept as findings of the audit of sales. Stripe is
 * asked about purchases of the period that no end is known of: those that cost nothing are in none of its lists.
 */
export const finishReconciliation = ({ sql, log }: { sql: Sql; log: Log }, run: Reconciliation, job: Job): Promise<void> =>
  onOwnConnection(sql, statementTimeoutMs, async own => {
    const { id, dryRun } = run
    const found = await own.begin(async transaction => {
      const sql = transaction as TransactionSql
      const differences = [...(await stillDifferent(sql, run)), ...(await notListed(sql, run))]
      if (!dryRun) {
        await replaceDifferences(sql, run, differences.slice(0, keptMax))
        await askAbout(sql, await listUnended(sql, run, keptMax))
      }
      await endReconciliation(sql, id, { total: differences.length, findings: differences.slice(0, shownMax).map(findingOf) })
      await deleteListed(sql, id)
      invariant((await deleteHeldJobs(sql, [job])).has(id), `the reconciliation ${id} is held by another`)
      return differences.length
    })
    log.info({ reconciliation: id, dryRun, differences: found }, 'payments are reconciled with Stripe')
  })

const findingOf = ({ check, purchaseId, detail }: Difference) => ({ check, purchaseId, detail })

async function stillDifferent(sql: TransactionSql, run: Reconciliation): Promise<Difference[]> {
  const differences: Difference[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: ListedRow[] = await listDifferent(sql, run.id, after, batchRows)
    const listed = rows.flatMap(({ fact, toldAt }) => (fact ? [{ fact, toldAt }] : []))
    for (const { objectId, finding } of await compare(sql, listed, run)) if (finding) differences.push({ objectId, ...finding })
    for (const { objectId, fault } of rows)
      if (fault !== null)
        differences.push({ objectId, check: 'unreadable', purchaseId: null, detail: `${objectId} can’t be read: ${fault}` })
    after = rows.length < batchRows ? undefined : rows.at(-1)?.objectId
  }
  return differences
}

const notListed = async (sql: TransactionSql, run: Reconciliation): Promise<Difference[]> =>
  (await listNotListed(sql, run, keptMax)).map(({ purchaseId, objectId, kind }) => ({
    ...{ objectId, check: 'not_listed', purchaseId },
    detail: `the ${kind} ${objectId} is kept here, and Stripe lists none`,
  }))

async function askAbout(sql: TransactionSql, purchases: { id: string; accountId: string }[]): Promise<void> {
  if (purchases.length === 0) return
  await insertJobs(
    sql,
    purchases.map(({ id, accountId }) => ({ kind: askKind, id, fairnessKey: accountId })),
  )
  await runJobsNow(
    sql,
    askKind,
    purchases.map(({ id }) => id),
  )
}
