import type { Sql } from '@filmgate/kit/database/postgres'
import { insertJobs } from '@filmgate/kit/jobs/job-repository'
import { gauge } from '@filmgate/kit/telemetry/metrics'
import { reconcileKind } from '../job-kinds'
import { deliveryMs, lookBackMs } from './reconciliation'
import { deleteReconciliations, insertReconciliation, secondsSinceDaily } from './run-repository'

const keptDays = 90

/** Starts the daily reconciliation (UTC day) once across all replicas. */
export async function reconcileWhenDue({ sql, livemode, now }: { sql: Sql; livemode: boolean; now(): Date }): Promise<void> {
  const at = now()
  const to = new Date(at.getTime() - deliveryMs)
  const id = `daily-${livemode ? 'live' : 'test'}-${at.toISOString().slice(0, 10)}`
  const run = { id, requestedBy: null, reason: null, from: new Date(to.getTime() - lookBackMs), to, dryRun: false, livemode }
  const isNew = await sql.begin(async sql => {
    const isNew = await insertReconciliation(sql, run)
    if (isNew) await insertJobs(sql, [{ kind: reconcileKind, id }])
    return isNew
  })
  if (isNew) await deleteReconciliations(sql, keptDays)
}

export const exposeReconciliation = (sql: Sql): void =>
  gauge(
    'payments_reconciled_age_seconds',
    'Seconds since the last daily reconciliation with Stripe, or since the start where there was none',
    async () => (await secondsSinceDaily(sql)) ?? process.uptime(),
  )
