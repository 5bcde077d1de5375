import { createBus } from '@filmgate/kit/bus'
import { watchLag } from '@filmgate/kit/bus/watch-lag'
import { createLog } from '@filmgate/kit/log'
import { gauge } from '@filmgate/kit/metrics'
import { configOrExit, runService } from '@filmgate/kit/run'
import { createReadiness, startServer } from '@filmgate/kit/server'
import { startTracing } from '@filmgate/kit/trace'
import { groupPlan } from '@filmgate/proto/groups'
import { deadLetterTopics, topicName } from '@filmgate/proto/topics'
import { createApp } from './app'
import { loadOrExit } from './catalog/load-or-exit'
import { catalogConfig, catalogFiles } from './config'
import { keepPublished } from './publish/keep-published'
import { publishCatalog } from './publish/publish-catalog'
import { followPublished } from './publish/published-view'

const config = configOrExit(() => catalogConfig(process.env))
const log = createLog({ service: 'catalog', level: config.logLevel })
const files = catalogFiles(config)
const first = loadOrExit(files)

await runService(log, async () => {
  const tracing = startTracing({ service: 'catalog', endpoint: config.otlpEndpoint, sampleRatio: config.traceSampleRatio })
  const bus = createBus({ ...config.kafka, clientId: 'catalog', log })
  const topic = topicName(config.topicPrefix, 'catalog')
  const published = followPublished(bus, topic)
  const publish = publishCatalog.bind(undefined, { bus, topic, published, log, nowMs: Date.now })
  const keeper = keepPublished({ files, first, publish, published, lookEveryMs: config.lookEveryMs, log })
  gauge('catalog_files_faulty', '1 while the changed card or price files have slips and what was published before stays in force', () =>
    keeper.mended() ? 0 : 1,
  )
  const lag = watchLag({
    ...config.kafka,
    log,
    groups: groupPlan(config.topicPrefix),
    deadLetterTopics: deadLetterTopics(config.topicPrefix),
  })
  const readiness = createReadiness({ catalog: keeper.published })
  const server = startServer({ app: createApp({ log, readiness }), port: config.port, log, readiness })
  return [
    { name: 'tracing', stop: tracing.stop },
    { name: 'bus', stop: bus.stop },
    { name: 'keeper', stop: keeper.stop },
    { name: 'lag', stop: lag.stop },
    { name: 'server', stop: () => server.drain(config.drainMs) },
  ]
})
