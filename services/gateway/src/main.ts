import { createBus } from '@filmgate/kit/bus/bus'
import { exposeClockOffset } from '@filmgate/kit/database/clock-offset'
import { connectPostgres, type Sql } from '@filmgate/kit/database/postgres'
import { addressesOf } from '@filmgate/kit/environment/service-environment'
import { createClientAddress } from '@filmgate/kit/http/client-address'
import { peerOf } from '@filmgate/kit/http/serve'
import { createReadiness } from '@filmgate/kit/http/server'
import { startPublicServer } from '@filmgate/kit/http/start-public-server'
import { followOperators } from '@filmgate/kit/operator/operators'
import { createOutbox } from '@filmgate/kit/outbox/outbox'
import { configOrExit, runService } from '@filmgate/kit/process/run'
import { createLog, type Log } from '@filmgate/kit/telemetry/log'
import { startTracing } from '@filmgate/kit/telemetry/trace'
import { createApp } from './app'
import { createFindBalance } from './balances/find-balance'
import { createCatalogTable } from './catalog/catalog-table'
import { type Config, readConfig } from './config'
import { startConsumers } from './consumers'
import { createDeadLetters } from './dead-letters/dead-letters'
import { createSignDownload } from './downloads/sign-download'
import { createFindBound, createFindTask } from './generations/create-generation'
import { createRecordRequest } from './generations/record-request'
import { createReadToken } from './hooks/read-token'
import { createVerifyCallback } from './hooks/verify-callback'
import { createFindCaller } from './keys/find-caller'
import { isNoticed } from './notices/publish-notices'
import { connectOutputs } from './openai/delete-video'
import type { ProjectDeps } from './projection/project'
import { createLimits } from './rate-limit/create-limits'
import { connectRedis } from './redis/connect-redis'
import { createRequestLog } from './request-log/request-log'
import { createEventStreams } from './tasks/events/event-streams'
import { createReadEvents } from './tasks/events/read-events'
import { createFindShownTask } from './tasks/find-task'
import { createTaskWatch } from './tasks/watch'
import { connectUploads } from './uploads/connect-uploads'
import { createCallWebhooks } from './webhooks/call-webhooks'
import { startWorkers } from './workers'

const config = configOrExit(() => readConfig(process.env))
const log = createLog({ service: 'gateway', level: config.logLevel })
if (config.recovering) log.warn({}, 'recovery mode: no request is recorded')

/** What is read by id; the reads of one moment share a statement. */
const batchedReads = (sql: Sql) => ({
  findBound: createFindBound(sql),
  findTask: createFindTask(sql),
  findShownTask: createFindShownTask(sql),
  findBalance: createFindBalance(sql),
  readEvents: createReadEvents(sql),
})

/** What needs a bucket, where that is configured. */
const connectStores = (config: Config, log: Log) => ({
  ...connectUploads(config, log),
  outputs: connectOutputs(config),
  signDownload: createSignDownload(config),
})

function appSettings(config: Config) {
  const { grantLimit, consoleUrl, securityContact, consoleTokens } = config
  const { starterCredits, unfinishedTasksMax, keyOverlapSeconds, admissionTimeoutMs } = config
  return {
    grantLimit,
    consoleUrl,
    securityContact,
    consoleTokens,
    starterCredits,
    unfinishedTasksMax,
    keyOverlapSeconds,
    admissionTimeoutMs,
  }
}

await runService(log, async () => {
  if (!config.attemptSecrets) log.warn({}, 'FILMGATE_ATTEMPT_SECRET is not set: callbacks at made-up addresses are not told from ours')
  const { keyPeppers: peppers, topicPrefix } = config
  const tracing = startTracing({ service: 'gateway', endpoint: config.otlpEndpoint, sampleRatio: config.traceSampleRatio })
  const sql = connectPostgres({ ...addressesOf(config), poolMax: config.poolMax, applicationName: 'gateway' })
  exposeClockOffset(sql)
  const redis = connectRedis(config.redisUrl, log)
  const subscriber = connectRedis(config.redisUrl, log, true)
  const operators = followOperators(config.operators, log)
  const bus = createBus({ ...config.kafka, clientId: 'gateway', log })
  const outbox = createOutbox({ sql, bus, log })
  const now = () => new Date()
  const limits = createLimits({ redis, log, now, config })
  const watch = createTaskWatch({ sql, redis, subscriber, log })
  const eventStreams = createEventStreams({ streamsMax: config.eventStreamsMax, streamsPerKeyMax: config.eventStreamsPerKeyMax })
  const catalog = createCatalogTable(log)
  const stores = connectStores(config, log)
  const webhooksOn = config.webhooksUrl !== undefined
  const requestLog = createRequestLog({ sql, now })
  const workers = startWorkers({
    sql,
    requestLog,
    log,
    now,
    outbox,
    topicPrefix,
    uploads: stores.uploads,
    webhooksOn,
    bus,
    replayAfterMs: config.replayAfterMs,
    replayEveryMs: config.replayEveryMs,
    forgetDeclinedEveryMs: config.forgetDeclinedEveryMs,
    recovering: config.recovering,
  })
  const merged: ProjectDeps['wake'] = (tasks, processorSeconds) => {
    watch.wake(tasks)
    if (tasks.some(isNoticed)) workers.wakeNotices()
    limits.refusals.count(tasks, processorSeconds)
  }
  const consumers = startConsumers({ bus, log, topicPrefix, sql, catalog, wake: merged })
  const readiness = createReadiness({ catalog: catalog.loaded, database: consumers.migrated, consumer: consumers.joined })

  const app = createApp({
    log,
    readiness,
    requestLog,
    sql,
    outbox,
    topicPrefix,
    pepper: peppers[0],
    watch,
    operators: operators.operators,
    ...appSettings(config),
    ...limits,
    now,
    readToken: createReadToken({ secrets: config.attemptSecrets, sql, now }),
    verifyCallback: createVerifyCallback({ falJwksUrl: config.falJwksUrl, falUserId: config.falUserId, now, log }),
    findCaller: createFindCaller({ sql, peppers, log }),
    clientAddress: createClientAddress(config.trustedProxies, peerOf),
    ...batchedReads(sql),
    eventStreams,
    recordRequest: createRecordRequest({ sql, outbox, topicPrefix, replayAfterMs: config.replayAfterMs }),
    currentCatalog: catalog.current,
    takeOrder: catalog.takeOrder,
    giveOrderBack: catalog.giveOrderBack,
    brokerConnected: bus.connected,
    recovering: config.recovering,
    ...stores,
    ...{ webhooksOn, callWebhooks: createCallWebhooks({ url: config.webhooksUrl, token: config.webhooksToken }) },
    deadLetters: createDeadLetters(sql, config.kafka, topicPrefix),
  })
  const server = await startPublicServer({ app, config, log, readiness })

  return [
    { name: 'tracing', stop: tracing.stop },
    { name: 'database', stop: () => sql.end({ timeout: 5 }) },
    { name: 'redis', stop: async () => [redis.disconnect(), subscriber.disconnect()] },
    { name: 'bus', stop: bus.stop },
    { name: 'outbox', stop: outbox.stop },
    { name: 'watch', stop: watch.stop },
    { name: 'consumers', stop: consumers.stop },
    { name: 'workers', stop: workers.stop },
    operators.component,
    { name: 'event streams', stop: eventStreams.stop },
    { name: 'server', stop: () => Promise.all([server.drain(config.drainMs), eventStreams.endIn(config.drainMs)]) },
  ]
})
