import type { Sql } from '@filmgate/kit/database/postgres'
import { insertJobs } from '@filmgate/kit/jobs/job-repository'
import { gauge } from '@filmgate/kit/telemetry/metrics'
import { uuidv7 } from 'uuidv7'
import { type CrossAudit, graceMsDefault, lookBackMs } from './cross-audit'
import { deleteCrossAudits, findCrossAudit, insertCrossAudit, measureLastCrossAudit, type NewCrossAudit } from './cross-audit-repository'

export const crossAuditKind = 'cross.audit'
const keptDays = 90

/** Starts the run of this hour (UTC) once across all replicas. */
export async function crossAuditWhenDue({ sql, now }: { sql: Sql; now(): Date }): Promise<void> {
  const at = now()
  const until = new Date(at.getTime() - graceMsDefault)
  const since = new Date(at.getTime() - lookBackMs)
  const isNew = await start(sql, { id: `hourly-${at.toISOString().slice(0, 13)}`, requestedBy: null, since, until, createdAt: at })
  if (isNew) await deleteCrossAudits(sql, keptDays)
}

export type CrossAuditInput = { requestedBy: string; since: Date; until: Date; createdAt: Date }

/** Starts a manual run. Returns undefined if another manual one is running. */
export async function requestCrossAudit(sql: Sql, input: CrossAuditInput): Promise<CrossAudit | undefined> {
  const id = uuidv7()
  return (await start(sql, { id, ...input })) ? findCrossAudit(sql, id) : undefined
}

const start = (sql: Sql, run: NewCrossAudit): Promise<boolean> =>
  sql.begin(async sql => {
    const isNew = await insertCrossAudit(sql, run)
    if (isNew) await insertJobs(sql, [{ kind: crossAuditKind, id: run.id }])
    return isNew
  })

/** Metrics of the last run that ended. Before the first the number of findings is unknown. */
export function exposeCrossAudit(sql: Sql): void {
  gauge('cross_audit_findings', 'Differences between two services that the last cross-audit found', async () => {
    const last = await measureLastCrossAudit(sql)
    return Object.entries(last?.compared ?? {}).map(([comparison, { differences }]) => ({ value: differences, attributes: { comparison } }))
  })
  gauge(
    'cross_audit_age_seconds',
    'Seconds since a cross-audit ended, or since the start where there was none',
    async () => (await measureLastCrossAudit(sql))?.ageSeconds ?? process.uptime(),
  )
}
