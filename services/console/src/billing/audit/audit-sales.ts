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
import { type Finding, judgePurchase, judgeUnsold, type PurchaseRows } from './judge-purchase'

const batchRows = 500
const statementTimeoutMs = 60_000
/** More are counted, and neither kept nor logged: the cause is one. */
const findingsKeptMax = 100
const beforeAllPurchases = '00000000-0000-0000-0000-000000000000'

/**
 * Holds the credits of every purchase against its money, and keeps what it found. A batch is read in one snapshot, in
 * which what follows from a fact stands beside it. What the last reconciliations with Stripe left is found, too. One
 * run at a time: undefined when another is still under way.
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
      keep(batch.flatMap(judgePurchase))
      after = batch.length < batchRows ? undefined : batch.at(-1)?.purchase.id
    }
    for (let after: string | undefined = ''; after !== undefined; ) {
      const told = await listReversalsAfter(own, after, batchRows)
      keep(told.filter(({ isSold }) => !isSold).flatMap(judgeUnsold))
      after = told.length < batchRows ? undefined : told.at(-1)?.id
    }
    audit.total += await countDifferences(own)
    audit.findings.push(...(await listDifferences(own, findingsKeptMax - audit.findings.length)))
    await insertSalesAudit(own, audit)
    for (const { check, purchaseId: purchase, detail } of audit.findings)
      log.error({ check, purchase, detail }, 'the audit of sales found something: see the runbook')
    return audit
  })

/** The next purchases with all that is kept of their money and their credits. */
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
