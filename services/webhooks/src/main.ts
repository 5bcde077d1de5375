import { createBus } from '@filmgate/kit/bus/bus'
import { exposeClockOffset } from '@filmgate/kit/database/clock-offset'
import { connectPostgres } from '@filmgate/kit/database/postgres'
import { addressesOf } from '@filmgate/kit/environment/service-environment'
import { createReadiness, startServer } from '@filmgate/kit/http/server'
import { followOperators } from '@filmgate/kit/operator/operators'
import { configOrExit, runService } from '@filmgate/kit/process/run'
import { userAgentOf } from '@filmgate/kit/safe-fetch/hop/user-agent'
import { createLog } from '@filmgate/kit/telemetry/log'
import { gauge } from '@filmgate/kit/telemetry/metrics'
import { startTracing } from '@filmgate/kit/telemetry/trace'
import { createApp } from './app'
import { type Config, readConfig } from './config'
import { startConsumers } from './consumers'
import { findOverdueSeconds } from './deliveries/delivery-repository'
import { countPaused } from './endpoints/endpoint-repository'
import { createVault } from './secrets/vault'
import { startWorkers } from './workers'

const config = configOrExit(() => readConfig(process.env))
const log = createLog({ service: 'webhooks', level: config.logLevel })
const poolMax = 12

await runService(log, async () => {
  const { topicPrefix, retryForSeconds, retryFirstMs, pauseAfterDays, attemptsMax, attemptTimeoutMs, leaseMs, keptDays, tokens } = config
  const tracing = startTracing({ service: 'webhooks', endpoint: config.otlpEndpoint, sampleRatio: config.traceSampleRatio })
  const sql = connectPostgres({ ...addressesOf(config), poolMax, applicationName: 'webhooks' })
  exposeClockOffset(sql)
  const operators = followOperators(config.operators, log)
  const bus = createBus({ ...config.kafka, clientId: 'webhooks', log })
  gauge('webhook_overdue_seconds', 'How long the endpoint that waits longest for its deliveries is past its time', () =>
    findOverdueSeconds(sql),
  )
  gauge('webhook_endpoints_paused', 'Endpoints that are paused', () => countPaused(sql))

  const now = () => new Date()
  const vault = await createVault(config.secretKeys)
  const policy = fetchPolicy(config)
  const workers = startWorkers({
    ...{ sql, log, now, vault, policy, attemptsMax, attemptTimeoutMs, leaseMs },
    ...{ retryForSeconds, retryFirstMs, pauseAfterDays, keptDays },
  })
  const { wake } = workers
  const consumers = startConsumers({ bus, topicPrefix, receiving: { sql, retryForSeconds, keptDays, wake } })
  const readiness = createReadiness({ consumers: consumers.joined })
  const app = createApp({
    log,
    readiness,
    sql,
    vault,
    policy,
    tokens,
    keptDays,
    retryForSeconds,
    now,
    wake,
    operators: operators.operators,
  })
  const server = startServer({ app, host: config.host, port: config.port, log, readiness })
  return [
    { name: 'tracing', stop: tracing.stop },
    { name: 'database', stop: () => sql.end({ timeout: 5 }) },
    { name: 'bus', stop: bus.stop },
    { name: 'workers', stop: workers.stop },
    { name: 'consumers', stop: consumers.stop },
    operators.component,
    { name: 'server', stop: () => server.drain(config.drainMs) },
  ]
})

function fetchPolicy({ forbiddenRanges, nameServers, fetchContact, privateOrigins = [] }: Config) {
  return {
    forbiddenRanges,
    userAgent: userAgentOf(fetchContact),
    ...(nameServers && { nameServers }),
    trustedOrigins: privateOrigins.map(origin => ({ origin })),
  }
}
