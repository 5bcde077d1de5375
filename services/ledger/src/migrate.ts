import { migrate } from '@filmgate/kit/database/migrate'
import { addressesOf } from '@filmgate/kit/environment/service-environment'
import { configOrExit } from '@filmgate/kit/process/run'
import { createLog } from '@filmgate/kit/telemetry/log'
import { readCommandConfig } from './config'
import { migrationsFolder } from './database/migrations-folder'

const config = configOrExit(() => readCommandConfig(process.env))
const log = createLog({ service: 'ledger', level: config.logLevel })
await migrate({ ...addressesOf(config), folder: migrationsFolder, log })
