import { createBus } from '@filmgate/kit/bus/bus'
import { exposeClockOffset } from '@filmgate/kit/database/clock-offset'
import { connectPostgres } from '@filmgate/kit/database/postgres'
import { addressesOf } from '@filmgate/kit/environment/service-environment'
import { createReadiness, startServer } from '@filmgate/kit/http/server'
import { followOperators } from '@filmgate/kit/operator/operators'
import { createOutbox } from '@filmgate/kit/outbox/outbox'
import { configOrExit, runService } from '@filmgate/kit/process/run'
import { createLog } from '@filmgate/kit/telemetry/log'
import { startTracing } from '@filmgate/kit/telemetry/trace'
import { topicName } from '@filmgate/proto/topics'
import { createApp } from './app'
import { exposeAudit } from './audit/audit-when-due'
import { readConfig } from './config'
import { startConsumers } from './consumers'
import { exposeOpenReservations } from './posting/expose-open'
import { startWorkers } from './workers'

const config = configOrExit(() => readConfig(process.env))
const log = createLog({ service: 'ledger', level: config.logLevel })
if (config.recovering) log.warn({}, 'recovery mode: verdicts wait on the broker')

await runService(log, async () => {
  const tracing = startTracing({ service: 'ledger', endpoint: config.otlpEndpoint, sampleRatio: config.traceSampleRatio })
  const sql = connectPostgres({ ...addressesOf(config), poolMax: config.poolMax, applicationName: 'ledger' })
  exposeClockOffset(sql)
  const operators = followOperators(config.operators, log)
  const bus = createBus({ ...config.kafka, clientId: 'ledger', log })
  const outbox = createOutbox({ sql, bus, log })
  const { topicPrefix, refundSweepEveryMs, auditEveryMs, auditRules } = config
  const creditsTopic = topicName(topicPrefix, 'credits')
  const postDeps = { outbox, creditsTopic, unfinishedTasksMax: config.unfinishedTasksMax, now: Date.now }
  const consumers = startConsumers({ ...postDeps, sql, bus, log, topicPrefix, recovering: config.recovering })
  const workers = startWorkers({ ...postDeps, sql, log }, { ...auditRules, auditEveryMs, refundSweepEveryMs })
  exposeAudit(sql)
  exposeOpenReservations(sql)
  const readiness = createReadiness({ database: consumers.migrated, broker: bus.connected, consumer: consumers.joined })
  const app = createApp({ ...postDeps, sql, operators: operators.operators, auditRules, log, readiness })
  const server = startServer({ app, host: config.host, port: config.port, log, readiness, idleTimeoutSeconds: 250 })
  return [
    { name: 'tracing', stop: tracing.stop },
    { name: 'database', stop: () => sql.end({ timeout: 5 }) },
    { name: 'bus', stop: bus.stop },
    { name: 'outbox', stop: outbox.stop },
    { name: 'workers', stop: workers.stop },
    { name: 'consumers', stop: consumers.stop },
    operators.component,
    { name: 'server', stop: () => server.drain(config.drainMs) },
  ]
})
