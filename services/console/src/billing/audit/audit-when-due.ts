import type { Sql } from '@filmgate/kit/database/postgres'
import type { Log } from '@filmgate/kit/telemetry/log'
import { gauge } from '@filmgate/kit/telemetry/metrics'
import { queueConversions } from '../changes/queue-conversions'
import { deleteSalesAudits, findLastSalesAudit } from './audit-repository'
import { auditSales } from './audit-sales'

const auditEveryMs = 3_600_000
const keptDays = 90

/** Runs an audit if the last one by any replica is an hour old. */
export async function auditWhenDue(deps: { sql: Sql; log: Log }): Promise<void> {
  const last = await findLastSalesAudit(deps.sql)
  if (last && last.ageSeconds * 1_000 < auditEveryMs) return
  // Must run before the audit, which would report amounts that an earlier version counted differently.
  await queueConversions(deps.sql)
  const audit = await auditSales(deps)
  if (!audit) return
  const { purchases, total } = audit
  if (total === 0) deps.log.info({ purchases }, 'sales audit: no findings')
  await deleteSalesAudits(deps.sql, keptDays)
}

/** Metrics of the last audit by any replica. Before the first audit the number of findings is unknown. */
export function exposeSalesAudit(sql: Sql): void {
  gauge('payments_audit_findings', 'Findings of the last audit of sales', async () => {
    const last = await findLastSalesAudit(sql)
    return last ? [{ value: last.total, attributes: {} }] : []
  })
  gauge('payments_audit_age_seconds', 'Seconds since the last audit of sales, or since the start where there was none', async () => {
    const last = await findLastSalesAudit(sql)
    return last?.ageSeconds ?? process.uptime()
  })
}
