import type { Sql } from '@filmgate/kit/database/postgres'
import { startOnceMigrated } from '@filmgate/kit/database/start-once-migrated'
import { every } from '@filmgate/kit/process/every'
import type { Log } from '@filmgate/kit/telemetry/log'
import { type AuditWhenDue, auditWhenDue, forgetOldAudits } from './audit/audit-when-due'
import { migrationsFolder } from './database/migrations-folder'
import { sweepRefunds } from './posting/complete-refunds'
import { forgetDeclined } from './posting/forget-declined'
import type { PostDeps } from './posting/post'

export type WorkersDeps = PostDeps & { sql: Sql; log: Log }
export type WorkersSettings = AuditWhenDue & { refundSweepEveryMs: number }
export type Workers = { stop(): Promise<void> }

const forgetEveryMs = 600_000
const auditLookEveryMs = 30_000

/** Once the tables are there: posts refunds that stayed pending, deletes what is kept for a time only, and audits when an audit is due. */
export function startWorkers(deps: WorkersDeps, settings: WorkersSettings): Workers {
  const { sql, log } = deps
  return startOnceMigrated({ sql, folder: migrationsFolder, log }, () => {
    const workers = [
      every(settings.refundSweepEveryMs, () => sweepRefunds(deps), { log, name: 'completing refunds' }),
      every(forgetEveryMs, () => forgetDeclined(deps), { log, name: 'forgetting refusals' }),
      every(forgetEveryMs, () => forgetOldAudits(sql), { log, name: 'forgetting audits' }),
    ]
    if (settings.auditEveryMs > 0) workers.push(every(auditLookEveryMs, () => auditWhenDue(deps, settings), { log, name: 'auditing' }))
    return { stop: () => Promise.all(workers.map(worker => worker.stop())) }
  })
}
