import { type Admin, ConfigResourceTypes, KafkaJSProtocolError } from 'kafkajs'
import { type KafkaAccess, openKafka } from '../open-kafka'
import { createTopics } from './create-topics'
import { untilServed } from './until-served'

export type TopicPlan = { topic: string; partitions: number; retentionMs: number; compacted: boolean; messageBytesMax?: number }

export type TopicChange = { topic: string; change: 'created' | 'partitions raised' | 'settings changed' }

/** Makes the broker hold what the plan says and tells what had to change: nothing, when run again. It never deletes, and never lowers partitions. */
export async function applyTopics({
  replicas,
  plan,
  ...access
}: KafkaAccess & { replicas: number; plan: TopicPlan[] }): Promise<TopicChange[]> {
  const kafka = openKafka(access, { clientId: 'topics', retry: { retries: 8, initialRetryTime: 200, maxRetryTime: 3_000 } })
  const admin = kafka.admin()
  await admin.connect()
  try {
    const existing = new Set(await admin.listTopics())
    const missing = plan.filter(({ topic }) => !existing.has(topic))
    const present = plan.filter(({ topic }) => existing.has(topic))
    await create(admin, missing, replicas)
    return [...missing.map(({ topic }): TopicChange => ({ topic, change: 'created' })), ...(await bringToPlan(admin, present, replicas))]
  } finally {
    await admin.disconnect()
  }
}

/** One replica may be away without a message being refused, and none is acknowledged by a single broker alone where there are several. */
const minInSyncReplicas = (replicas: number): number => Math.max(1, replicas - 1)

export const settingsOf = ({ retentionMs, compacted, messageBytesMax }: TopicPlan, replicas: number): Record<string, string> => ({
  'cleanup.policy': compacted ? 'compact' : 'delete',
  'retention.ms': String(retentionMs),
  'min.insync.replicas': String(minInSyncReplicas(replicas)),
  ...(messageBytesMax !== undefined && { 'max.message.bytes': String(messageBytesMax) }),
})

const entries = (settings: Record<string, string>) => Object.entries(settings).map(([name, value]) => ({ name, value }))

async function create(admin: Admin, plan: TopicPlan[], replicas: number): Promise<void> {
  if (!plan.length) return
  const topics = plan.map(each => ({
    topic: each.topic,
    numPartitions: each.partitions,
    replicationFactor: replicas,
    configEntries: entries(settingsOf(each, replicas)),
  }))
  await createTopics(admin, topics)
}

/** What is raised or set is told back before this returns, so that whoever runs next finds it so. */
async function bringToPlan(admin: Admin, plan: TopicPlan[], replicas: number): Promise<TopicChange[]> {
  const few = await withFewPartitions(admin, plan)
  const different = await withOtherSettings(admin, plan, replicas)
  if (few.length) await raisePartitions(admin, few)
  if (different.length) await changeSettings(admin, different, replicas)
  await untilServed(async () => {
    const [stale] = [...(await withFewPartitions(admin, few)), ...(await withOtherSettings(admin, different, replicas))]
    if (stale) throw new Error(`the broker does not tell back what ${stale.topic} was changed to`)
  })
  return [
    ...few.map(({ topic }): TopicChange => ({ topic, change: 'partitions raised' })),
    ...different.map(({ topic }): TopicChange => ({ topic, change: 'settings changed' })),
  ]
}

async function raisePartitions(admin: Admin, plan: TopicPlan[]): Promise<void> {
  try {
    await admin.createPartitions({ topicPartitions: plan.map(({ topic, partitions }) => ({ topic, count: partitions })) })
  } catch (error) {
    // Said, too, of as many as there are: another run was quicker. The caller asks for what there is.
    if (!(error instanceof KafkaJSProtocolError && error.type === 'INVALID_PARTITIONS')) throw error
  }
}

async function withFewPartitions(admin: Admin, plan: TopicPlan[]): Promise<TopicPlan[]> {
  if (!plan.length) return []
  const { topics } = await admin.fetchTopicMetadata({ topics: plan.map(({ topic }) => topic) })
  const counts = new Map(topics.map(({ name, partitions }) => [name, partitions.length]))
  return plan.filter(({ topic, partitions }) => (counts.get(topic) ?? partitions) < partitions)
}

async function withOtherSettings(admin: Admin, plan: TopicPlan[], replicas: number): Promise<TopicPlan[]> {
  if (!plan.length) return []
  const resources = plan.map(each => ({
    type: ConfigResourceTypes.TOPIC,
    name: each.topic,
    configNames: Object.keys(settingsOf(each, replicas)),
  }))
  const { resources: described } = await admin.describeConfigs({ resources, includeSynonyms: false })
  const current = new Map(described.map(({ resourceName, configEntries }) => [resourceName, configEntries]))
  return plan.filter(each => {
    const found = current.get(each.topic) ?? []
    return Object.entries(settingsOf(each, replicas)).some(
      ([name, value]) => found.find(entry => entry.configName === name)?.configValue !== value,
    )
  })
}

async function changeSettings(admin: Admin, plan: TopicPlan[], replicas: number): Promise<void> {
  const resources = plan.map(each => ({
    type: ConfigResourceTypes.TOPIC,
    name: each.topic,
    configEntries: entries(settingsOf(each, replicas)),
  }))
  await admin.alterConfigs({ validateOnly: false, resources })
}
