import { randomBytes } from 'node:crypto'
import { createBus } from '@filmgate/kit/bus/bus'
import { exposeClockOffset } from '@filmgate/kit/database/clock-offset'
import { connectPostgres, type Sql } from '@filmgate/kit/database/postgres'
import { addressesOf } from '@filmgate/kit/environment/service-environment'
import { storeKeysOf } from '@filmgate/kit/environment/store-environment'
import { createReadiness, startServer } from '@filmgate/kit/http/server'
import { exposeWaitingJobs } from '@filmgate/kit/jobs/job-worker'
import { createLeaseKeeper } from '@filmgate/kit/jobs/lease-keeper'
import { createObjectStore } from '@filmgate/kit/object-store'
import { followOperators } from '@filmgate/kit/operator/operators'
import { createOutbox } from '@filmgate/kit/outbox/outbox'
import { configOrExit, runService } from '@filmgate/kit/process/run'
import { userAgentOf } from '@filmgate/kit/safe-fetch/hop/user-agent'
import { createLog } from '@filmgate/kit/telemetry/log'
import { declareValues, gauge } from '@filmgate/kit/telemetry/metrics'
import { startTracing } from '@filmgate/kit/telemetry/trace'
import { createProviderHealth } from './absence/provider-health'
import { createApp } from './app'
import { attemptJob } from './attempt/jobs'
import { createWriteTransition } from './attempt/write-transitions'
import { type Config, ownRoutes, readConfig } from './config'
import { startConsumers } from './consumers'
import { createMp4Reader } from './delivery/mp4-reader'
import { isOpen } from './due/breaker'
import { findProviderLimits, type ProviderLimits } from './due/provider-limits-repository'
import { rateLimitedUntilMs } from './due/rate'
import { holdCauses } from './holds/hold'
import { createHolds, type Holds } from './holds/holds'
import { createOwnEgress } from './output/finish'
import { findExpiryOverdueSeconds } from './output/output-repository'
import { createAskForPoster } from './output/poster'
import { connectProviders } from './providers/connect-providers'
import { keyFiles } from './providers/read-keys'
import { measureReviews } from './review/review-repository'
import { checkCards } from './routing/check-cards'
import { followRoutes } from './routing/follow-routes'
import { createLiveRouting, type LiveRouting } from './routing/live-routing'
import { publishOffers } from './routing/offers/publish-offers'
import { readRoutes, routingFiles } from './routing/read-routes'
import { createRouting } from './routing/routing'
import { createSender } from './submit/sender'
import { startWorkers } from './workers'

const { config, read, first } = configOrExit(() => {
  const config = readConfig(process.env)
  const read = () => createRouting(readRoutes([ownRoutes, ...mountedRoutes(config)]), connectProviders(config))
  return { config, read, first: read() }
})
const log = createLog({ service: 'dispatcher', level: config.logLevel })
if (config.recovering) log.warn({}, 'recovery mode: nothing is submitted')
const now = () => new Date()
const newOutputKey = () => `${randomBytes(20).toString('hex')}.mp4`
const day = 86_400_000
/** Above a copy's own fetch, whose error says more about what went wrong. */
const copyGraceMs = 60_000
const offersLookEveryMs = 500
const offersRenewEveryMs = 5_000
/** Longer than a roll leaves two versions side by side most times. */
const offersCorrectAfterMs = 60_000

await runService(log, async () => {
  const { topicPrefix, attemptSecret, leaseMs, uploadTimeoutMs, submitTimeoutMs, readTimeoutMs } = config
  const { outputBaseUrl, outputRetentionMs, recovering } = config
  const tracing = startTracing({ service: 'dispatcher', endpoint: config.otlpEndpoint, sampleRatio: config.traceSampleRatio })
  const sql = connectPostgres({ ...addressesOf(config), poolMax: config.poolMax, applicationName: 'dispatcher' })
  exposeClockOffset(sql)
  const operators = followOperators(config.operators, log)
  const bus = createBus({ ...config.kafka, clientId: 'dispatcher', log })
  const outbox = createOutbox({ sql, bus, log })
  const inputs = createObjectStore(storeOptions(config, config.inputsBucket))
  const outputs = createObjectStore(storeOptions(config, config.outputsBucket))
  const reader = createMp4Reader()
  const copying = { ...sourceSettings(config), outputs }
  const askForPoster = createAskForPoster({ outputs, publicRead: config.outputsPublicRead, now })
  const holds = createHolds({ ...holdSettings(config), sql, log })
  // An order whose attempt was lost goes where it went: holds are for new orders.
  const routing = createLiveRouting(first, recovering ? undefined : holds.stateOf)
  exposeGauges(sql, () => routing.connectors.map(({ provider }) => provider))
  exposeHolds(holds, routing)
  declareValues(
    'provider',
    routing.connectors.map(({ provider }) => provider),
  )
  const cards = checkCards({ bus, topicPrefix, routing, log })
  const routes = followRoutes({ files: () => followedFiles(config), read, routing, cards, log })
  holds.onChange(cards.offerAgain)
  const { offers } = cards
  const mayPublish = () => cards.passed() && holds.known()
  const publishing = publishOffers({
    ...{ bus, topicPrefix, offers, mayPublish, log },
    ...{ lookEveryMs: offersLookEveryMs, renewEveryMs: offersRenewEveryMs, correctAfterMs: offersCorrectAfterMs },
  })

  const planning = { attemptSecret, leaseMs, uploadTimeoutMs, submitTimeoutMs }
  const write = createWriteTransition({ sql, outbox, topicPrefix, leaseMs, now, log })
  const leases = createLeaseKeeper({ sql, log, kind: attemptJob, leaseMs, renewEveryMs: leaseMs / 4, goneIsLost: true })
  const sender = createSender({ ...planning, ...senderSettings(config), sql, inputs, routing, holds, leases, write, now, log })
  const health = createProviderHealth({ ...healthSettings(config), sql, log, routing })
  const workers = startWorkers({
    ...{ sql, log, leaseMs, routes, holds, routesLookEveryMs: config.routesLookEveryMs },
    ...{ claimEveryMs: config.claimEveryMs, copiesMax: config.copiesMax, recopiesMax: config.recopiesMax },
    following: {
      ...{ ...planning, ...followSettings(config), sql, outbox, topicPrefix, log, now, inputs, routing, write, sender, health },
      ...{ outputRetentionMs, newOutputKey },
    },
    cancelling: { sql, outbox, topicPrefix, routing, write, leaseMs, now, log },
    finishing: {
      ...{ ...copySettings(config), ...copying, sql, log, now, routing, write, outputBaseUrl, outputRetentionMs, askForPoster },
      ...{ readMp4: reader.read, egress: createOwnEgress() },
    },
    expiring: { sql, outputs, now, expireEveryMs: config.expireEveryMs, attemptRetentionMs: config.attemptRetentionDays * day },
  })
  const { wake, wakeCancels } = workers
  const consumers = startConsumers({
    ...{ bus, topicPrefix },
    submitting: { ...planning, recovering, sql, outbox, topicPrefix, outputBaseUrl, askForPoster, routing, holds, sender, now },
    cancelling: { outbox, topicPrefix, attemptSecret, leaseMs, now, wake: wakeCancels },
    calledBack: { sql, connectorOf: routing.connectorOf, wake },
  })
  gauge('credit_dollars', 'What a credit is worth in US dollars, as the catalog’s prices say', () => cards.creditMicroUsd() / 1_000_000)
  const readiness = createReadiness({ cards: cards.passed, consumers: consumers.joined })
  const app = createApp({
    ...{ log, readiness, sql, outbox, topicPrefix, routing, holds, cards, health, now, wake, attemptSecret },
    ...{
      leaseMs,
      readTimeoutMs,
      operators: operators.operators,
      vanishedWindowMs: config.vanishedWindowMs,
      bulkReviewLimit: config.bulkReviewLimit,
      outputReviewAfterMs: config.outputReviewAfterMs,
      outputBaseUrl,
      askForPoster,
      ...{ ...copying, readMp4: reader.read },
    },
  })
  const server = startServer({ app, host: config.host, port: config.port, log, readiness })
  return [
    { name: 'tracing', stop: tracing.stop },
    { name: 'database', stop: () => sql.end({ timeout: 5 }) },
    { name: 'bus', stop: bus.stop },
    { name: 'outbox', stop: outbox.stop },
    { name: 'cards', stop: cards.stop },
    { name: 'offers', stop: publishing.stop },
    { name: 'leases', stop: leases.stop },
    { name: 'mp4 reader', stop: async () => reader.close() },
    { name: 'submits', stop: sender.stop },
    ...workers.components,
    { name: 'consumers', stop: consumers.stop },
    operators.component,
    { name: 'server', stop: () => server.drain(config.drainMs) },
  ]
})

function exposeGauges(sql: Sql, providersOf: () => string[]): void {
  exposeWaitingJobs(sql)
  gauge('outputs_overdue_seconds', 'How long the oldest output is past its retention', () => findExpiryOverdueSeconds(sql))
  gauge('reviews_open', 'Attempts held for review', async () => {
    const counts = new Map((await measureReviews(sql)).map(({ provider, count }) => [provider, count]))
    // One that is off can have reviews, too; the others are there at 0.
    return [...new Set([...providersOf(), ...counts.keys()])].map(provider => ({
      value: counts.get(provider) ?? 0,
      attributes: { provider },
    }))
  })
  const perProvider = async (holds: (row: ProviderLimits) => boolean) =>
    (await findProviderLimits(sql, providersOf())).map(row => ({ value: holds(row) ? 1 : 0, attributes: { provider: row.provider } }))
  gauge('provider_breaker_open', 'Whether a provider answers nothing, so that one attempt at a time is asked about', () =>
    perProvider(isOpen),
  )
  gauge('provider_rate_limited', 'Whether a provider is left alone because it answered 429 or Retry-After', () =>
    perProvider(row => rateLimitedUntilMs(row) !== undefined),
  )
  gauge('reviews_aged', 'Attempts held for review, by how long they have been', async () => {
    const byAge = { under_an_hour: 0, under_a_day: 0, over_a_day: 0 }
    for (const { count, overHour, overDay } of await measureReviews(sql)) {
      byAge.under_an_hour += count - overHour
      byAge.under_a_day += overHour - overDay
      byAge.over_a_day += overDay
    }
    return Object.entries(byAge).map(([age, value]) => ({ value, attributes: { age } }))
  })
  gauge('review_oldest_seconds', 'Age of the oldest attempt held for review', async () =>
    Math.max(0, ...(await measureReviews(sql)).map(({ oldestSeconds }) => oldestSeconds)),
  )
}

/** Per provider and cause, whether new orders are held. */
function exposeHolds(holds: Holds, routing: LiveRouting): void {
  gauge('submit_holds', 'Whether new orders are kept from a provider, by cause', () =>
    routing.connectors.flatMap(connector =>
      holdCauses.map(cause => ({
        value: holds.of(connector).some(hold => hold.cause === cause) ? 1 : 0,
        attributes: { provider: connector.provider, cause },
      })),
    ),
  )
}

function holdSettings(config: Config) {
  return {
    submitHolds: config.submitHolds && !config.recovering,
    unknownMax: config.submitsUnknownMax,
    windowMs: config.submitsUnknownWindowMs,
    undecidedMax: config.submitsUndecidedMax,
    slowMs: config.submitSlowMs,
    unansweredProbes: { firstMs: config.submitProbeFirstMs, maxMs: config.submitProbeMsMax },
    accountProbes: { firstMs: config.accountProbeFirstMs, maxMs: config.accountProbeMsMax },
  }
}

function storeOptions(config: Config, bucket: string) {
  return { endpoint: config.s3Endpoint, region: config.s3Region, bucket, ...storeKeysOf(config) }
}

function mountedRoutes({ routesDir }: Config): string[] {
  return routesDir ? [routesDir] : []
}

function followedFiles(config: Config): string[] {
  return [...mountedRoutes(config).flatMap(routingFiles), ...keyFiles(config.outside)]
}

function senderSettings({ submitsMax, inputUrlSeconds, callbackBaseUrl, generationTimeoutMs, recovering }: Config) {
  return { submitsMax, inputUrlSeconds, callbackBaseUrl, generationTimeoutMs, recovering }
}

function followSettings({ claimEveryMs, pollsMax, generationTimeoutMs, overduePollMs, absenceSightingsMin, outputReviewAfterMs }: Config) {
  return { claimEveryMs, pollsMax, generationTimeoutMs, overduePollMs, absenceSightingsMin, outputReviewAfterMs }
}

function healthSettings({ absenceSightingsMin, vanishedMax, vanishedPercentMax, vanishedWindowMs }: Config) {
  return { absenceSightingsMin, vanishedMax, vanishedPercentMax, vanishedWindowMs }
}

function copySettings(config: Config) {
  const { outputRetryFirstMs, outputRetryMsMax, outputRetryForMs, outputReviewAfterMs, outputReviewRetryMs } = config
  const { outputRereadMs, outputGoneSightingsMin, outputGoneMs, outputTimeoutMs } = config
  return {
    ...{ outputRetryFirstMs, outputRetryMsMax, outputRetryForMs, outputReviewAfterMs, outputReviewRetryMs },
    ...{ outputRereadMs, outputGoneSightingsMin, outputGoneMs },
    copyTimeoutMs: outputTimeoutMs + copyGraceMs,
  }
}

function sourceSettings({ forbiddenRanges, fetchContact, outputsPublicRead, outputBytesMax, outputTimeoutMs }: Config) {
  return {
    ...{ forbiddenRanges, userAgent: userAgentOf(fetchContact), publicRead: outputsPublicRead },
    limits: { bodyBytesMax: outputBytesMax, totalTimeoutMs: outputTimeoutMs },
  }
}
