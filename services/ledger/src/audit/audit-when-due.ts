import type { Log } from '@filmgate/kit/log'
import { gauge } from '@filmgate/kit/metrics'
import type { Sql } from '@filmgate/kit/postgres'
import { type AuditRules, audit } from './audit'
import { deleteAuditRuns, findLastAudit } from './audit-repository'
import { findCheckpoint } from './checkpoint-repository'

const keptDays = 90

export type AuditWhenDue = AuditRules & { auditEveryMs: number }

/** Audits where the last audit, by another replica, the command or an operator, is older than `auditEveryMs` and none is under way. */
export async function auditWhenDue({ sql, log, now }: { sql: Sql; log: Log; now(): number }, config: AuditWhenDue): Promise<void> {
  const last = await findLastAudit(sql)
  if (last && last.ageSeconds * 1_000 < config.auditEveryMs) return
  const result = await audit(sql, config, { nowMs: now() })
  if (!result) return
  const { findings, ...rest } = result
  if (findings.length > 0) log.error({ findings: findings.slice(0, 20), total: findings.length, ...rest }, 'the audit found something')
  else log.info(rest, 'the audit found nothing')
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
  gauge('ledger_full_audit_age_seconds', 'Seconds since the last audit that checked everything', async () => {
    const checkpoint = await findCheckpoint(sql)
    return checkpoint ? [{ value: checkpoint.fullAgeMs / 1_000, attributes: {} }] : []
  })
}
