import { createBus } from '@filmgate/kit/bus'
import { exposeWaitingJobs } from '@filmgate/kit/jobs'
import { createLog } from '@filmgate/kit/log'
import { declareValues } from '@filmgate/kit/metrics'
import { createOutbox } from '@filmgate/kit/outbox'
import { connectPostgres } from '@filmgate/kit/postgres'
import { configOrExit, runService } from '@filmgate/kit/run'
import { createReadiness, startServer } from '@filmgate/kit/server'
import { startTracing } from '@filmgate/kit/trace'
import { createApp } from './app'
import { newAttemptId } from './attempt/attempt-id'
import { dispatcherConfig } from './config'
import { startDispatcher } from './dispatcher'
import { connectMakers } from './makers/connect-makers'
import { exposeExpiry } from './output/expose-expiry'
import { checkCards } from './routing/check-cards'
import { readRoutes } from './routing/read-routes'
import { createRouting } from './routing/routing'

const { config, routes } = configOrExit(() => {
  const config = dispatcherConfig(process.env)
  return { config, routes: readRoutes(config.routesFile) }
})
const log = createLog({ service: 'dispatcher', level: config.logLevel })

await runService(log, async () => {
  const tracing = startTracing({ service: 'dispatcher', endpoint: config.otlpEndpoint, sampleRatio: config.traceSampleRatio })
  const sql = connectPostgres({ url: config.databaseUrl, poolMax: config.poolMax, applicationName: 'dispatcher' })
  const bus = createBus({ ...config.kafka, clientId: 'dispatcher', log })
  const outbox = createOutbox({ sql, bus, log, publishedRetentionHours: config.publishedRetentionHours })
  exposeWaitingJobs(sql)
  exposeExpiry(sql)
  const { topicPrefix, leaseMs, readTimeoutMs, operatorToken, outputBaseUrl } = config
  const routing = createRouting(routes, connectMakers(config))
  declareValues(
    'maker',
    routing.connectors.map(({ maker }) => maker),
  )
  const cards = checkCards({ bus, topicPrefix, routing, log })
  const { parts, wake, joined, now, controls } = startDispatcher({ config, sql, bus, outbox, routing, log })
  const readiness = createReadiness({ cards: cards.passed, line: joined })
  const app = createApp({
    log,
    readiness,
    sql,
    outbox,
    topicPrefix,
    routing,
    leaseMs,
    readTimeoutMs,
    vanishedWindowMs: config.vanishedWindowMs,
    controls,
    now,
    wake,
    operatorToken,
    outputBaseUrl,
    newAttemptId,
  })
  const server = startServer({ app, port: config.port, log, readiness })
  return [
    { name: 'tracing', stop: tracing.stop },
    { name: 'database', stop: () => sql.end({ timeout: 5 }) },
    { name: 'bus', stop: bus.stop },
    { name: 'outbox', stop: outbox.stop },
    { name: 'cards', stop: cards.stop },
    ...parts,
    { name: 'server', stop: () => server.drain(config.drainMs) },
  ]
})
