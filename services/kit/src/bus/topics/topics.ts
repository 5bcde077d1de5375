import { type Admin, ConfigResourceTypes } from 'kafkajs'
import { type KafkaAccess, openKafka } from '../open-kafka'
import { createTopics } from './create-topics'

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
    return [
      ...missing.map(({ topic }): TopicChange => ({ topic, change: 'created' })),
      ...(await raisePartitions(admin, present)),
      ...(await changeSettings(admin, present, replicas)),
    ]
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

async function raisePartitions(admin: Admin, plan: TopicPlan[]): Promise<TopicChange[]> {
  if (!plan.length) return []
  const { topics } = await admin.fetchTopicMetadata({ topics: plan.map(({ topic }) => topic) })
  const counts = new Map(topics.map(({ name, partitions }) => [name, partitions.length]))
  const few = plan.filter(({ topic, partitions }) => (counts.get(topic) ?? partitions) < partitions)
  if (few.length) await admin.createPartitions({ topicPartitions: few.map(({ topic, partitions }) => ({ topic, count: partitions })) })
  return few.map(({ topic }) => ({ topic, change: 'partitions raised' }))
}

async function changeSettings(admin: Admin, plan: TopicPlan[], replicas: number): Promise<TopicChange[]> {
  if (!plan.length) return []
  const resources = plan.map(each => ({
    type: ConfigResourceTypes.TOPIC,
    name: each.topic,
    configNames: Object.keys(settingsOf(each, replicas)),
  }))
  const { resources: described } = await admin.describeConfigs({ resources, includeSynonyms: false })
  const current = new Map(described.map(({ resourceName, configEntries }) => [resourceName, configEntries]))
  const different = plan.filter(each => {
    const found = current.get(each.topic) ?? []
    return Object.entries(settingsOf(each, replicas)).some(
      ([name, value]) => found.find(entry => entry.configName === name)?.configValue !== value,
    )
  })
  if (different.length) {
    const changed = different.map(each => ({
      type: ConfigResourceTypes.TOPIC,
      name: each.topic,
      configEntries: entries(settingsOf(each, replicas)),
    }))
    await admin.alterConfigs({ validateOnly: false, resources: changed })
  }
  return different.map(({ topic }) => ({ topic, change: 'settings changed' }))
}
