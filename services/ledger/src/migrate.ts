import { createLog } from '@filmgate/kit/log'
import { migrate } from '@filmgate/kit/migrate'
import { configOrExit } from '@filmgate/kit/run'
import { commandConfig } from './config'
import { migrationsFolder } from './migrations'

const config = configOrExit(() => commandConfig(process.env))
await migrate({ url: config.databaseUrl, folder: migrationsFolder, log: createLog({ service: 'ledger', level: config.logLevel }) })
