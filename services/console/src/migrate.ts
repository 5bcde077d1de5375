import { migrate } from '@filmgate/kit/database/migrate'
import { configOrExit } from '@filmgate/kit/process/run'
import { createLog } from '@filmgate/kit/telemetry/log'
import { readCommandConfig } from './config'
import { migrationsFolder } from './database/migrations-folder'

const { databaseUrl, logLevel } = configOrExit(() => readCommandConfig(process.env))
await migrate({ url: databaseUrl, folder: migrationsFolder, log: createLog({ service: 'console', level: logLevel }) })
