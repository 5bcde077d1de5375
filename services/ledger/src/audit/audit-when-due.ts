import type { Log } from '@filmgate/kit/log'
import { gauge } from '@filmgate/kit/metrics'
import type { Sql } from '@filmgate/kit/postgres'
import { audit } from './audit'
import { deleteAuditRuns, findLastAudit } from './audit-repository'

const keptDays = 90

/** Audits where the last audit, by another replica, the command or an operator, is older than `everyMs`. */
export async function auditWhenDue({ sql, log, now }: { sql: Sql; log: Log; now(): number }, everyMs: number): Promise<void> {
  const last = await findLastAudit(sql)
  if (last && last.ageSeconds * 1_000 < everyMs) return
  const { findings, checked } = await audit(sql, now())
  if (findings.length > 0) log.error({ findings: findings.slice(0, 20), total: findings.length, checked }, 'the audit found something')
  else log.info({ checked }, 'the audit found nothing')
}

export const forgetOldAudits = (sql: Sql) => deleteAuditRuns(sql, keptDays)

/** Shows the last audit by whomever; nothing before the first. */
export function exposeAudit(sql: Sql): void {
  gauge('ledger_audit_findings', 'Findings of the last audit', async () => {
    const last = await findLastAudit(sql)
    return last ? [{ value: last.findings, attributes: {} }] : []
  })
  gauge('ledger_audit_age_seconds', 'Seconds since the last audit', async () => {
    const last = await findLastAudit(sql)
    return last ? [{ value: last.ageSeconds, attributes: {} }] : []
  })
}
