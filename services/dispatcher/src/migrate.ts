import { join } from 'node:path'
import { migrate } from '@filmgate/kit/database/migrate'
import { addressesOf } from '@filmgate/kit/environment/service-environment'
import { configOrExit } from '@filmgate/kit/process/run'
import { createLog } from '@filmgate/kit/telemetry/log'
import { readCommandConfig } from './config'

const config = configOrExit(() => readCommandConfig(process.env))
// Beside src and, in the image, beside dist.
const folder = join(import.meta.dir, '../migrations')
const log = createLog({ service: 'dispatcher', level: config.logLevel })
await migrate({ ...addressesOf(config), folder, log })
