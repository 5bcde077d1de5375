import { join } from 'node:path'
import { createLog } from '@filmgate/kit/log'
import { migrate } from '@filmgate/kit/migrate'
import { configOrExit } from '@filmgate/kit/run'
import { commandConfig } from './config'

const config = configOrExit(() => commandConfig(process.env))
// Beside src and, in the image, beside dist.
const folder = join(import.meta.dir, '../migrations')
await migrate({ url: config.databaseUrl, folder, log: createLog({ service: 'dispatcher', level: config.logLevel }) })
