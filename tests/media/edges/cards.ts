import { join, resolve } from 'node:path'
import { createBus } from '@filmgate/kit/bus/bus'
import { applyTopics } from '@filmgate/kit/bus/topics/topics'
import { servers, testLog, until } from '@filmgate/kit/testing'
import { type CatalogEvent, CatalogEventSchema, type ModelCard } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { decode, topicName, topicPlan } from '@filmgate/proto/topics'

const catalog = resolve(import.meta.dir, '../../../services/catalog')
const readTimeoutMs = 30_000

/** Every model's card, as a catalog of one's own publishes it. */
export async function readCards(prefix: string): Promise<ModelCard[]> {
  const brokers = servers.kafkaBrokers
  await applyTopics({ brokers, replicas: 1, plan: topicPlan(prefix, 1).filter(({ topic }) => topic.includes('catalog')) })
  const env = {
    PATH: process.env.PATH ?? '',
    PORT: '0',
    KAFKA_BROKERS: brokers.join(','),
    FILMGATE_TOPIC_PREFIX: prefix,
    FILMGATE_DRAIN_MS: '0',
    LOG_LEVEL: 'warn',
  }
  const service = Bun.spawn([process.execPath, join(catalog, 'src/main.ts')], {
    cwd: catalog,
    env,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'inherit',
  })
  const bus = createBus({ brokers, clientId: 'card-reader', log: testLog })
  const cards = new Map<string, ModelCard>()
  let named: string[] | undefined
  const hear = ({ event }: CatalogEvent) => {
    if (event.case === 'modelCard') cards.set(event.value.model, event.value)
    if (event.case === 'catalogIndex') named = event.value.models
  }
  bus.consume({
    group: `${prefix}.cards`,
    topics: { [topicName(prefix, 'catalog')]: bytes => decode(CatalogEventSchema, bytes) },
    handle: async messages => {
      for (const { event } of messages) hear(event)
    },
  })
  try {
    await until('every card that the index names', () => named?.every(model => cards.has(model)), readTimeoutMs)
    return [...cards.values()]
  } finally {
    await bus.stop()
    service.kill('SIGTERM')
    await service.exited
  }
}
