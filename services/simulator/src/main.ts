import { createLog } from '@filmgate/kit/log'
import { gauge } from '@filmgate/kit/metrics'
import { configOrExit, runService } from '@filmgate/kit/run'
import { startServer } from '@filmgate/kit/server'
import { startTracing } from '@filmgate/kit/trace'
import { simulatorConfig } from './config'
import { createSimulator } from './simulator'

const config = configOrExit(() => simulatorConfig(process.env))
const log = createLog({ service: 'simulator', level: config.logLevel })

await runService(log, async () => {
  const tracing = startTracing({ service: 'simulator', endpoint: config.otlpEndpoint, sampleRatio: config.traceSampleRatio })
  const simulator = createSimulator(config, log)
  gauge('simulator_renders_waiting', 'Generations waiting for a render', simulator.waitingRenders)
  const server = startServer({ app: simulator.app, port: config.port, log, readiness: simulator.readiness })
  return [
    { name: 'tracing', stop: tracing.stop },
    { name: 'simulator', stop: simulator.stop },
    { name: 'server', stop: () => server.drain(config.drainMs) },
  ]
})
