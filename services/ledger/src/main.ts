import { createBus } from '@filmgate/kit/bus'
import { createLog } from '@filmgate/kit/log'
import { createOutbox } from '@filmgate/kit/outbox'
import { connectPostgres } from '@filmgate/kit/postgres'
import { configOrExit, runService } from '@filmgate/kit/run'
import { createReadiness, startServer } from '@filmgate/kit/server'
import { startTracing } from '@filmgate/kit/trace'
import { topicName } from '@filmgate/proto/topics'
import { createApp } from './app'
import { exposeAudit } from './audit/audit-when-due'
import { ledgerConfig } from './config'
import { exposeOpenReservations } from './reservation/expose-open'
import { startPosting } from './start-posting'

const config = configOrExit(() => ledgerConfig(process.env))
const log = createLog({ service: 'ledger', level: config.logLevel })

await runService(log, async () => {
  const tracing = startTracing({ service: 'ledger', endpoint: config.otlpEndpoint, sampleRatio: config.traceSampleRatio })
  const sql = connectPostgres({ url: config.databaseUrl, poolMax: config.poolMax, applicationName: 'ledger' })
  const bus = createBus({ ...config.kafka, clientId: 'ledger', log })
  const outbox = createOutbox({ sql, bus, log, publishedRetentionHours: config.publishedRetentionHours })
  const creditsTopic = topicName(config.topicPrefix, 'credits')
  const postDeps = { outbox, creditsTopic, unfinishedTasksMax: config.unfinishedTasksMax, now: Date.now }
  const posting = startPosting({ ...postDeps, sql, bus, log }, config)
  exposeAudit(sql)
  exposeOpenReservations(sql)
  const readiness = createReadiness({ database: posting.migrated, broker: bus.connected, consumer: posting.joined })
  const app = createApp({ ...postDeps, sql, operatorToken: config.operatorToken, auditRules: config, log, readiness })
  const server = startServer({ app, port: config.port, log, readiness, idleTimeoutSeconds: 250 })
  return [
    { name: 'tracing', stop: tracing.stop },
    { name: 'database', stop: () => sql.end({ timeout: 5 }) },
    { name: 'bus', stop: bus.stop },
    { name: 'outbox', stop: outbox.stop },
    { name: 'posting', stop: posting.stop },
    { name: 'server', stop: () => server.drain(config.drainMs) },
  ]
})
