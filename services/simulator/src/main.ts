import { createReadiness, startServer } from '@filmgate/kit/http/server'
import { configOrExit, runService } from '@filmgate/kit/process/run'
import { createLog } from '@filmgate/kit/telemetry/log'
import { gauge } from '@filmgate/kit/telemetry/metrics'
import { startTracing } from '@filmgate/kit/telemetry/trace'
import { createApp } from './app'
import { readConfig } from './config'
import { createProvider } from './provider/create-provider'
import { startWorkers } from './workers'

const config = configOrExit(() => readConfig(process.env))
const log = createLog({ service: 'simulator', level: config.logLevel })

await runService(log, async () => {
  const { key, publicUrl } = config
  const tracing = startTracing({ service: 'simulator', endpoint: config.otlpEndpoint, sampleRatio: config.traceSampleRatio })
  const provider = createProvider(config, log)
  const workers = startWorkers({ ...provider, log })
  gauge('simulator_renders_waiting', 'Generations waiting for a render', provider.waitingRenders)
  const readiness = createReadiness({ ffmpeg: provider.renders })
  const app = createApp({ ...provider.routeDeps, key, publicUrl, log, readiness })
  const server = startServer({ app, host: config.host, port: config.port, log, readiness })

  return [
    { name: 'tracing', stop: tracing.stop },
    { name: 'provider', stop: provider.stop },
    { name: 'workers', stop: workers.stop },
    { name: 'server', stop: () => server.drain(config.drainMs) },
  ]
})
