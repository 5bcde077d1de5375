import { connectPostgres } from '@filmgate/kit/postgres'
import { configOrExit } from '@filmgate/kit/run'
import { audit } from './audit/audit'
import { commandConfig } from './config'

/** Audits the books once: prints what it found as JSON and leaves with 1 where there is anything. */
const config = configOrExit(() => commandConfig(process.env))
const sql = connectPostgres({ url: config.databaseUrl, poolMax: 1, applicationName: 'ledger-audit' })
const result = await audit(sql, Date.now())
await sql.end({ timeout: 5 })
console.log(JSON.stringify(result, null, 2))
process.exit(result.findings.length > 0 ? 1 : 0)
