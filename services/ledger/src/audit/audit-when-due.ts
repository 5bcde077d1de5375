import type { Sql } from '@filmgate/kit/database/postgres'
import type { Log } from '@filmgate/kit/telemetry/log'
import { gauge } from '@filmgate/kit/telemetry/metrics'
import { type AuditRules, audit } from './audit'
import { deleteAuditRuns, findLastAudit } from './audit-repository'
import { findCheckpoint } from './checkpoint-repository'

const keptDays = 90

export type AuditWhenDue = AuditRules & { auditEveryMs: number }

/** Audits when no audit is under way and the last one, by a replica, the command or an operator, is older than `auditEveryMs`. */
export async function auditWhenDue({ sql, log, now }: { sql: Sql; log: Log; now(): number }, config: AuditWhenDue): Promise<void> {
  const last = await findLastAudit(sql)
  if (last && last.ageSeconds * 1_000 < config.auditEveryMs) return
  const result = await audit(sql, config, { nowMs: now() })
  if (!result) return
  const { findings, ...rest } = result
  if (findings.length > 0) log.error({ findings: findings.slice(0, 20), total: findings.length, ...rest }, 'audit found discrepancies')
  else log.info(rest, 'audit found no discrepancies')
}

export const forgetOldAudits = (sql: Sql) => deleteAuditRuns(sql, keptDays)

/** Metrics of the last audit, whoever ran it; none before the first. */
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
