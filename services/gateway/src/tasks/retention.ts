import { connectPostgres } from '@filmgate/kit/database/postgres'
import { configOrExit } from '@filmgate/kit/process/run'
import { createLog } from '@filmgate/kit/telemetry/log'
import { readRetentionConfig } from '../config'
import { forgetClosedPrompts } from './forgetting/forget-prompts'
import { deleteOldTasks } from './task-repository'

/** One pass of retention, for a CronJob: ended tasks and their idempotency keys are kept 13 months. */
const config = configOrExit(() => readRetentionConfig(process.env))
const rowsMax = 5_000
const log = createLog({ service: 'gateway', level: config.logLevel })
// Round a pooler: its connections end a statement after ten seconds.
const url = config.databaseDirectUrl ?? config.databaseUrl
const sql = connectPostgres({ url, poolMax: 1, applicationName: 'retention', statementTimeoutMs: 120_000 })
let deleted = 0
for (let rows = rowsMax; rows === rowsMax; deleted += rows) rows = await deleteOldTasks(sql, config.taskRetentionDays, rowsMax)
const closedAccounts = await forgetClosedPrompts(sql)
log.info({ deleted, closedAccounts, days: config.taskRetentionDays }, 'old tasks deleted')
await sql.end({ timeout: 5 })
