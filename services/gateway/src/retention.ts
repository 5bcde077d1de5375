import { integer, readConfig, url } from '@filmgate/kit/config'
import { createLog } from '@filmgate/kit/log'
import { connectPostgres } from '@filmgate/kit/postgres'
import { configOrExit } from '@filmgate/kit/run'
import { serviceVariables } from '@filmgate/kit/service-environment'
import { deleteOldTasks } from './tasks/task-repository'

/** One pass of retention, for a CronJob: ended tasks and their idempotency keys are kept 13 months. */
const config = configOrExit(() =>
  readConfig(process.env, {
    ...serviceVariables,
    databaseUrl: ['DATABASE_URL', url()],
    taskRetentionDays: ['FILMGATE_TASK_RETENTION_DAYS', integer({ min: 1, fallback: 395 })],
  }),
)
const rowsMax = 5_000
const log = createLog({ service: 'gateway', level: config.logLevel })
const sql = connectPostgres({ url: config.databaseUrl, poolMax: 1, applicationName: 'retention', statementTimeoutMs: 120_000 })
let deleted = 0
for (let rows = rowsMax; rows === rowsMax; deleted += rows) rows = await deleteOldTasks(sql, config.taskRetentionDays, rowsMax)
log.info({ deleted, days: config.taskRetentionDays }, 'old tasks deleted')
await sql.end({ timeout: 5 })
