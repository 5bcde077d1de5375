import { createBus } from '@filmgate/kit/bus'
import { peerOf } from '@filmgate/kit/http/serve'
import { startPublicServer } from '@filmgate/kit/http/start-public-server'
import { createLog } from '@filmgate/kit/log'
import { createOutbox } from '@filmgate/kit/outbox'
import { connectPostgres } from '@filmgate/kit/postgres'
import { configOrExit, runService } from '@filmgate/kit/run'
import { createReadiness } from '@filmgate/kit/server'
import { startTracing } from '@filmgate/kit/trace'
import { createFindBalance } from './accounts/routes'
import { createApp } from './app'
import { createCatalogTable, followCatalog } from './catalog/catalog-table'
import { createClientAddress } from './client-address'
import { readGatewayConfig } from './config'
import { createAccept } from './generations/accept'
import { createFindBound, createFindTask } from './generations/create-generation'
import { createFindCaller } from './keys/find-caller'
import { followLine } from './line'
import { createKeyBucket } from './rate-limit/key-bucket'
import { createLocalBucket } from './rate-limit/local-bucket'
import { connectRedis } from './redis'
import { startRetelling } from './retelling/start-retelling'
import { createFindShownTask } from './tasks/find-task'
import { startForgetting } from './tasks/forget-declined'
import { createTaskWatch } from './tasks/watch'
import { recordUsage } from './usage/record-usage'

const config = configOrExit(() => readGatewayConfig(process.env))
const log = createLog({ service: 'gateway', level: config.logLevel })

await runService(log, async () => {
  const tracing = startTracing({ service: 'gateway', endpoint: config.otlpEndpoint, sampleRatio: config.traceSampleRatio })
  const sql = connectPostgres({ url: config.databaseUrl, poolMax: config.poolMax, applicationName: 'gateway' })
  const redis = connectRedis(config.redisUrl, log)
  const subscriber = connectRedis(config.redisUrl, log, true)
  const bus = createBus({ ...config.kafka, clientId: 'gateway', log })
  const outbox = createOutbox({ sql, bus, log, publishedRetentionHours: config.publishedRetentionHours })
  const keyBucket = createKeyBucket({ redis, sql, log, limit: config.rateLimit })
  const watch = createTaskWatch({ sql, redis, subscriber, log })
  const catalog = createCatalogTable(log)
  const cards = followCatalog(bus, config.topicPrefix, catalog)
  const line = followLine({ bus, log, topicPrefix: config.topicPrefix, sql, wake: watch.wake, recordUsage })
  const readiness = createReadiness({ catalog: catalog.loaded, database: line.migrated, line: line.joined, limits: keyBucket.agreed })
  const { keyPepper: pepper, topicPrefix } = config

  const forgetting = startForgetting({ sql, log, forgetDeclinedEveryMs: config.forgetDeclinedEveryMs, migrated: line.migrated })
  const retelling = startRetelling({ ...config, outbox, log, lineOpen: bus.connected })

  const app = createApp({
    log,
    readiness,
    sql,
    outbox,
    topicPrefix,
    pepper,
    watch,
    operatorToken: config.operatorToken,
    rateLimit: config.rateLimit,
    addressRateLimit: config.addressRateLimit,
    keyOverlapSeconds: config.keyOverlapSeconds,
    admissionTimeoutMs: config.admissionTimeoutMs,
    now: () => new Date(),
    findCaller: createFindCaller({ sql, pepper, log }),
    takeToken: keyBucket.takeToken,
    takeAddressToken: createLocalBucket(() => config.addressRateLimit),
    clientAddress: createClientAddress(config.trustedProxies, peerOf),
    findBound: createFindBound(sql),
    findTask: createFindTask(sql),
    findShownTask: createFindShownTask(sql),
    findBalance: createFindBalance(sql),
    accept: createAccept({ sql, outbox, topicPrefix, retellAfterMs: config.retellAfterMs }),
    currentCatalog: catalog.current,
    lineOpen: bus.connected,
  })
  const server = await startPublicServer({
    app,
    port: config.port,
    log,
    readiness,
    // A proxy keeps connections for minutes or an hour; a server that ends an idle one may do so just as a request arrives.
    ...(config.trustedProxies > 0 && { idleTimeoutSeconds: 0 }),
  })

  return [
    { name: 'tracing', stop: tracing.stop },
    { name: 'database', stop: () => sql.end({ timeout: 5 }) },
    { name: 'redis', stop: async () => [redis.disconnect(), subscriber.disconnect()] },
    { name: 'bus', stop: bus.stop },
    { name: 'outbox', stop: outbox.stop },
    { name: 'key bucket', stop: keyBucket.stop },
    { name: 'watch', stop: watch.stop },
    { name: 'cards', stop: cards.stop },
    { name: 'line', stop: line.stop },
    { name: 'retelling', stop: retelling.stop },
    { name: 'forgetting', stop: forgetting.stop },
    { name: 'server', stop: () => server.drain(config.drainMs) },
  ]
})
