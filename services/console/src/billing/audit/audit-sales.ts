import { onOwnConnection, type Sql, type TransactionSql } from '@filmgate/kit/database/postgres'
import type { Log } from '@filmgate/kit/telemetry/log'
import { countDifferences, listDifferences } from '../reconciliation/difference-repository'
import {
  insertSalesAudit,
  listChangesOf,
  listPurchasesAfter,
  listReversalsAfter,
  listReversalsOf,
  type SalesAudit,
  tryLock,
} from './audit-repository'
import { checkPurchase, checkUnsoldReversal, type Finding, type PurchaseRows } from './check-purchase'

const batchRows = 500
const statementTimeoutMs = 60_000
/** Further findings are counted but neither stored nor logged: they have the same cause. */
const findingsKeptMax = 100
const beforeAllPurchases = '00000000-0000-0000-0000-000000000000'

/**
 * Compares the credits of every purchase with its money and stores the findings. Each batch is read in one snapshot, so
 * that facts and their consequences are consistent. Includes the differences of the last reconciliations with Stripe.
 * Only one run at a time: returns undefined if another is running.
 */
export const auditSales = ({ sql, log }: { sql: Sql; log: Log }): Promise<SalesAudit | undefined> =>
  onOwnConnection(sql, statementTimeoutMs, async own => {
    if (!(await tryLock(own))) return undefined
    const audit: SalesAudit = { purchases: 0, total: 0, findings: [] }
    const keep = (found: Finding[]) => {
      audit.total += found.length
      audit.findings.push(...found.slice(0, findingsKeptMax - audit.findings.length))
    }
    for (let after: string | undefined = beforeAllPurchases; after !== undefined; ) {
      const batch = await readBatch(own, after)
      audit.purchases += batch.length
      keep(batch.flatMap(checkPurchase))
      after = batch.length < batchRows ? undefined : batch.at(-1)?.purchase.id
    }
    for (let after: string | undefined = ''; after !== undefined; ) {
      const reversals = await listReversalsAfter(own, after, batchRows)
      keep(reversals.filter(({ isSold }) => !isSold).flatMap(checkUnsoldReversal))
      after = reversals.length < batchRows ? undefined : reversals.at(-1)?.id
    }
    audit.total += await countDifferences(own)
    audit.findings.push(...(await listDifferences(own, findingsKeptMax - audit.findings.length)))
    await insertSalesAudit(own, audit)
    for (const { check, purchaseId: purchase, detail } of audit.findings)
      log.error({ check, purchase, detail }, 'sales audit finding: see the runbook')
    return audit
  })

/** The next batch of purchases with their reversals and changes. */
const readBatch = (sql: Sql, after: string): Promise<PurchaseRows[]> =>
  sql.begin('isolation level repeatable read read only', async transaction => {
    const sql = transaction as TransactionSql
    const purchases = await listPurchasesAfter(sql, after, batchRows)
    const payments = purchases.flatMap(({ paymentIntentId }) => paymentIntentId ?? [])
    const reversals = Map.groupBy(await listReversalsOf(sql, payments), ({ paymentIntentId }) => paymentIntentId)
    const ids = purchases.map(({ id }) => id)
    const changes = Map.groupBy(await listChangesOf(sql, ids), ({ purchaseId }) => purchaseId)
    return purchases.map(purchase => ({
      purchase,
      reversals: reversals.get(purchase.paymentIntentId ?? '') ?? [],
      changes: changes.get(purchase.id) ?? [],
    }))
  })
