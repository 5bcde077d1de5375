import { topicPlan } from '@filmgate/proto/topics'
import { refusalOf } from '../src/bus/refusal'
import { applyTopics } from '../src/bus/topics'
import { integer, readConfig, text } from '../src/config'
import { kafkaEnvironment } from '../src/kafka-environment'
import { configOrExit } from '../src/run'

/** Brings the broker's topics to what proto/topics.ts declares. Run by the local stack and by the chart; harmless to run again. */
const config = configOrExit(() =>
  readConfig(process.env, {
    kafka: kafkaEnvironment,
    prefix: ['FILMGATE_TOPIC_PREFIX', text({ fallback: 'filmgate' })],
    partitions: ['FILMGATE_PARTITIONS', integer({ min: 1, max: 1000, fallback: 12 })],
    replicas: ['FILMGATE_TOPIC_REPLICAS', integer({ min: 1, max: 9, fallback: 1 })],
  }),
)

const plan = topicPlan(config.prefix, config.partitions)
const changes = await applyTopics({ ...config.kafka, replicas: config.replicas, plan }).catch((error: Error) => {
  console.error(`${refusalOf(error) ?? 'the topics could not be declared'}: ${error.message}`)
  process.exit(1)
})
for (const { topic, change } of changes) console.log(`${topic}: ${change}`)
if (!changes.length) console.log('topics are as declared')
