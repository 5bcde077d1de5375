import { topicPlan } from '@filmgate/proto/topics'
import { refusalOf } from '../src/bus/publishing/refusal'
import { applyTopics } from '../src/bus/topics/topics'
import { kafkaEnvironment } from '../src/environment/kafka-environment'
import { integer, readVariables, text } from '../src/environment/variables'
import { configOrExit } from '../src/process/run'

/** Brings the broker's topics to what proto/topics.ts declares. Run by the local stack and by the chart; harmless to run again. */
const config = configOrExit(() =>
  readVariables(process.env, {
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
