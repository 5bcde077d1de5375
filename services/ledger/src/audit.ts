import { connectPostgres } from '@filmgate/kit/database/postgres'
import { addressesOf } from '@filmgate/kit/environment/service-environment'
import { configOrExit } from '@filmgate/kit/process/run'
import { audit } from './audit/audit'
import { readCommandConfig } from './config'

const lockWaitMs = 600_000
/** EX_TEMPFAIL: nothing was checked, try again. */
const statusRunning = 75

/** Audits the books once, with `--full` all of them: prints what it found as JSON and leaves with 1 where there is anything. */
const config = configOrExit(() => readCommandConfig(process.env))
const sql = connectPostgres({ ...addressesOf(config), poolMax: 1, applicationName: 'ledger-audit' })
const result = await audit(sql, config.auditRules, { nowMs: Date.now(), full: process.argv.includes('--full'), lockWaitMs })
await sql.end({ timeout: 5 })
console.log(JSON.stringify(result ?? { running: true }, null, 2))
process.exit(result ? Math.min(result.findings.length, 1) : statusRunning)
