import { join } from 'node:path'
import { readConfig, url } from '@filmgate/kit/config'
import { createLog } from '@filmgate/kit/log'
import { migrate } from '@filmgate/kit/migrate'
import { configOrExit } from '@filmgate/kit/run'
import { serviceVariables } from '@filmgate/kit/service-environment'

const config = configOrExit(() => readConfig(process.env, { ...serviceVariables, databaseUrl: ['DATABASE_URL', url()] }))
// Beside src and, in the image, beside dist.
const folder = join(import.meta.dir, '../migrations')
await migrate({ url: config.databaseUrl, folder, log: createLog({ service: 'media-probe', level: config.logLevel }) })
