import { availableParallelism } from 'node:os'
import { createBus } from '@filmgate/kit/bus/bus'
import { exposeClockOffset } from '@filmgate/kit/database/clock-offset'
import { connectPostgres } from '@filmgate/kit/database/postgres'
import { addressesOf } from '@filmgate/kit/environment/service-environment'
import { storeKeysOf } from '@filmgate/kit/environment/store-environment'
import { createReadiness, startServer } from '@filmgate/kit/http/server'
import { exposeWaitingJobs } from '@filmgate/kit/jobs/job-worker'
import { createObjectStore } from '@filmgate/kit/object-store'
import { followOperators } from '@filmgate/kit/operator/operators'
import { createOutbox } from '@filmgate/kit/outbox/outbox'
import { configOrExit, runService } from '@filmgate/kit/process/run'
import { userAgentOf } from '@filmgate/kit/safe-fetch/hop/user-agent'
import { createLog } from '@filmgate/kit/telemetry/log'
import { startTracing } from '@filmgate/kit/telemetry/trace'
import { createApp } from './app'
import { hideMemory } from './child/cage/libc'
import { findTools } from './child/find-tools'
import { type Config, readConfig } from './config'
import { startConsumers } from './consumers'
import { createGates } from './fetching/create-gates'
import { createNetwork } from './fetching/network'
import { openWorkFolder } from './fetching/work-folder'
import { fileBytesMax } from './limits/check'
import { exposeMetrics } from './operator/metrics'
import { checkerVersion } from './verdicts/checker-version'
import { createUploadGate } from './verdicts/judge-upload'
import { startWorkers } from './workers'

const config = configOrExit(() => readConfig(process.env))
const log = createLog({ service: 'media-probe', level: config.logLevel })
if (config.recovering) log.warn({}, 'recovery mode: no media are checked')
const poolMax = 12

await runService(log, async () => {
  hideMemory()
  const tracing = startTracing({ service: 'media-probe', endpoint: config.otlpEndpoint, sampleRatio: config.traceSampleRatio })
  const workFolder = await openWorkFolder(config.workFolder)
  const tools = await findTools(config, workFolder.path, config.isolation)
  if (tools.isolation !== 'landlock')
    log.warn({ isolation: tools.isolation }, 'decoders can reach the files of other tasks: the kernel has no Landlock')
  const checker = await checkerVersion(tools)
  const sql = connectPostgres({ ...addressesOf(config), poolMax, applicationName: 'media-probe' })
  exposeClockOffset(sql)
  const operators = followOperators(config.operators, log)
  const bus = createBus({ ...config.kafka, clientId: 'media-probe', log })
  const outbox = createOutbox({ sql, bus, log })
  const store = createObjectStore(storeOptions(config, config.inputsBucket))
  const uploads = config.uploadsBucket === undefined ? undefined : createObjectStore(storeOptions(config, config.uploadsBucket))
  const gates = createGates({ ...config, fileBytesMax }, workFolder)
  exposeMetrics({ sql, tools, workFolder, diskBytesMax: config.diskBytesMax, gates })
  exposeWaitingJobs(sql)

  const now = () => new Date()
  const { topicPrefix } = config
  const childLimits = { memoryBytesMax: config.childMemoryBytesMax, cpuSecondsMax: Math.ceil(config.childDeadlineMs / 1_000) * 4 }
  const ownTools = { ...tools, childLimits, childDeadlineMs: config.childDeadlineMs, coresMax: availableParallelism() }
  const judging = {
    ...{ sql, checker, workFolder, gates, tools: ownTools, taskCpuSecondsMax: config.taskCpuSecondsMax },
    fetching: {
      policy: fetchPolicy(config),
      network: createNetwork(config.nameServers, config.egressControls),
      fetchLimits: { totalTimeoutMs: config.downloadTimeoutMs },
      uploads,
    },
  }
  const workers = startWorkers({
    ...{ sql, log, leaseMs: config.leaseMs, tasksMax: config.tasksMax, postersMax: config.postersMax, recovering: config.recovering },
    verifying: {
      ...judging,
      ...{ log, outbox, topicPrefix, now, store },
    },
    deleting: { sql, store, now },
    sweeping: { sql, store, log, now, orphanAgeMs: config.orphanAgeSeconds * 1_000, sweepEveryMs: config.sweepEverySeconds * 1_000 },
    makingPosters: {
      sql,
      log,
      now,
      workFolder,
      tools: ownTools,
      storeOrigin: new URL(config.s3Endpoint).origin,
      postersMax: config.postersMax,
    },
  })
  const consumers = startConsumers({
    ...{ bus, topicPrefix },
    receiving: { sql, outbox, topicPrefix, wake: workers.verify.wake },
    planningDeletions: { sql, inputsKeptMs: config.inputsKeptSeconds * 1_000, wake: workers.remove.wake },
    planningPosters: { sql, postersMax: config.postersMax, wake: workers.posters.wake },
  })
  const readiness = createReadiness({ consumers: consumers.joined })
  const server = startServer({
    app: createApp({
      ...{ log, readiness, sql, outbox, topicPrefix, operators: operators.operators },
      judging: { ...judging, uploads, uploadGate: createUploadGate(config.measuresMax) },
    }),
    host: config.host,
    port: config.port,
    log,
    readiness,
  })

  return [
    { name: 'tracing', stop: tracing.stop },
    { name: 'work folder', stop: workFolder.close },
    { name: 'database', stop: () => sql.end({ timeout: 5 }) },
    { name: 'bus', stop: bus.stop },
    { name: 'outbox', stop: outbox.stop },
    { name: 'workers', stop: workers.stop },
    { name: 'consumers', stop: consumers.stop },
    operators.component,
    { name: 'server', stop: () => server.drain(config.drainMs) },
  ]
})

function storeOptions(config: Config, bucket: string) {
  return { endpoint: config.s3Endpoint, region: config.s3Region, bucket, ...storeKeysOf(config) }
}

function fetchPolicy({ forbiddenRanges, nameServers, fetchContact, sampleMediaOrigins = [], sampleMediaCa: ca }: Config) {
  return {
    forbiddenRanges,
    userAgent: userAgentOf(fetchContact),
    ...(nameServers && { nameServers }),
    trustedOrigins: sampleMediaOrigins.map(origin => ({ origin, ...(ca && { ca }) })),
  }
}
