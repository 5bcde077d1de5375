import { readConfig, url } from '@filmgate/kit/config'
import { createLog } from '@filmgate/kit/log'
import { migrate } from '@filmgate/kit/migrate'
import { configOrExit } from '@filmgate/kit/run'
import { serviceVariables } from '@filmgate/kit/service-environment'
import { migrationsFolder } from './migrations'

const config = configOrExit(() => readConfig(process.env, { ...serviceVariables, databaseUrl: ['DATABASE_URL', url()] }))
await migrate({ url: config.databaseUrl, folder: migrationsFolder, log: createLog({ service: 'gateway', level: config.logLevel }) })
