import { topicPlan } from '@filmgate/proto/topics'
import { applyTopics } from '../src/bus/topics'
import { integer, list, readConfig, text } from '../src/config'

/** Brings the broker's topics to what proto/topics.ts declares. Run by the local stack and by the chart; harmless to run again. */
const config = readConfig(process.env, {
  brokers: ['KAFKA_BROKERS', list()],
  prefix: ['FILMGATE_TOPIC_PREFIX', text({ fallback: 'filmgate' })],
  partitions: ['FILMGATE_PARTITIONS', integer({ min: 1, max: 1000, fallback: 12 })],
  replicas: ['FILMGATE_TOPIC_REPLICAS', integer({ min: 1, max: 9, fallback: 1 })],
})

const changes = await applyTopics({ brokers: config.brokers, replicas: config.replicas, plan: topicPlan(config.prefix, config.partitions) })
for (const { topic, change } of changes) console.log(`${topic}: ${change}`)
if (!changes.length) console.log('topics are as declared')
