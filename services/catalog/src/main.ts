import { createBus } from '@filmgate/kit/bus/bus'
import { createReadiness, startServer } from '@filmgate/kit/http/server'
import { configOrExit, runService } from '@filmgate/kit/process/run'
import { createLog } from '@filmgate/kit/telemetry/log'
import { startTracing } from '@filmgate/kit/telemetry/trace'
import { createApp } from './app'
import { CardError } from './card/card-error'
import { type Catalog, type CatalogFiles, loadCatalog } from './catalog/load-catalog'
import { catalogFiles, readConfig } from './config'
import { startConsumers } from './consumers'
import { startWorkers } from './workers'

const config = configOrExit(() => readConfig(process.env))
const log = createLog({ service: 'catalog', level: config.logLevel })
const files = catalogFiles(config)
const first = loadOrExit(files)

await runService(log, async () => {
  const { topicPrefix, checkFilesEveryMs, kafka } = config
  const tracing = startTracing({ service: 'catalog', endpoint: config.otlpEndpoint, sampleRatio: config.traceSampleRatio })
  const bus = createBus({ ...kafka, clientId: 'catalog', log })
  const published = startConsumers({ bus, topicPrefix })
  const workers = startWorkers({ bus, log, kafka, topicPrefix, files, first, published, checkFilesEveryMs })
  const readiness = createReadiness({ catalog: workers.published })
  const server = startServer({ app: createApp({ log, readiness }), host: config.host, port: config.port, log, readiness })

  return [
    { name: 'tracing', stop: tracing.stop },
    { name: 'bus', stop: bus.stop },
    { name: 'workers', stop: workers.stop },
    { name: 'server', stop: () => server.drain(config.drainMs) },
  ]
})

/** Loads the catalog, or exits with status 78 (EX_CONFIG) and all faults on standard error. */
function loadOrExit(files: CatalogFiles): Catalog {
  try {
    return loadCatalog(files)
  } catch (error) {
    if (!(error instanceof CardError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(78)
  }
}
