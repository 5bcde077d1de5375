import type { Admin } from 'kafkajs'

export type Followed = { group: string; topics: string[] }

/** `offset`: the next one the group will handle. `lag`: what lies between it and the partition's end. `missed`: what was deleted before it was handled. */
export type Lag = { group: string; topic: string; partition: number; offset: number; lag: number; missed: number }

export type Measured = { rows: Lag[]; faults: unknown[] }

type Ends = { partition: number; low: number; high: number }[]

/**
 * What each group has not handled yet, by the broker's own word: whether anybody consumes does not matter, and a group that never
 * committed lacks all that is there. What can't be read is left out and named.
 */
export async function measureLag(admin: Admin, followed: Followed[]): Promise<Measured> {
  const topics = [...new Set(followed.flatMap(one => one.topics))]
  const ends = new Map<string, Ends>()
  const faults = await settle(topics, async topic => void ends.set(topic, await readEnds(admin, topic)))
  const rows: Lag[] = []
  const ofGroups = await settle(followed, async ({ group, topics }) => {
    const known = topics.filter(topic => ends.has(topic))
    for (const { topic, partitions } of await admin.fetchOffsets({ groupId: group, topics: known }))
      for (const { partition, low, high } of ends.get(topic) ?? []) {
        const committed = Number(partitions.find(one => one.partition === partition)?.offset ?? -1)
        const offset = Math.max(committed, low)
        const missed = committed < 0 ? 0 : Math.max(0, low - committed)
        rows.push({ group, topic, partition, offset, lag: Math.max(0, high - offset), missed })
      }
  })
  return { rows, faults: [...faults, ...ofGroups] }
}

async function readEnds(admin: Admin, topic: string): Promise<Ends> {
  const offsets = await admin.fetchTopicOffsets(topic)
  return offsets.map(({ partition, low, high }) => ({ partition, low: Number(low), high: Number(high) }))
}

/** All side by side; returns why some of them failed. */
async function settle<T>(items: T[], work: (item: T) => Promise<void>): Promise<unknown[]> {
  const results = await Promise.allSettled(items.map(work))
  return results.flatMap(result => (result.status === 'rejected' ? [result.reason] : []))
}
