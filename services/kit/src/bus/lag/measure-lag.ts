import type { Admin } from 'kafkajs'
import type { Ages } from './ages'

export type Followed = { group: string; topics: string[] }

/**
 * `offset`: the next one the group will handle. `lag`: what lies between it and the partition's end. `missed`: what was deleted before it was
 * handled.
 */
export type Lag = { group: string; topic: string; partition: number; offset: number; lag: number; missed: number }

type Ends = { partition: number; low: number; high: number }[]
/** By topic. */
type Measured = { rows: Lag[]; ends: Map<string, Ends>; faults: Error[] }

/** `waitedMs`: how long the message at `offset` has been there at least, 0 where none is. */
export type AgedLag = Lag & { waitedMs: number }
type Now = { ages: Ages; nowMs: number }

/** Where a topic is first met with messages that wait, the broker says what its ends were so long ago. */
const formerMs = [86_400_000, 21_600_000, 3_600_000, 900_000, 300_000, 60_000]

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
  return { rows, ends, faults: [...faults, ...ofGroups] }
}

/** The same with ages, and what is now seen of the partitions' ends noted for later ones. */
export async function measureAgedLag(
  admin: Admin,
  followed: Followed[],
  { ages, nowMs }: Now,
): Promise<{ rows: AgedLag[]; faults: Error[] }> {
  const { rows, ends, faults } = await measureLag(admin, followed)
  const behind = [...new Set(rows.filter(({ lag }) => lag > 0).map(({ topic }) => topic))].filter(topic => !ages.knows(topic))
  const ofPast = await settle(behind, topic => noteFormerEnds(admin, topic, { ages, nowMs }))
  for (const [topic, partitions] of ends) for (const { partition, high } of partitions) ages.note(topic, partition, high, nowMs)
  const aged = rows.map(row => ({ ...row, waitedMs: ages.ageMs(row.topic, row.partition, row.offset, nowMs) }))
  return { rows: aged, faults: [...faults, ...ofPast] }
}

async function noteFormerEnds(admin: Admin, topic: string, { ages, nowMs }: Now): Promise<void> {
  const wallMs = Date.now()
  const former = await Promise.all(formerMs.map(agoMs => admin.fetchTopicOffsetsByTimestamp(topic, wallMs - agoMs)))
  for (const [place, partitions] of former.entries())
    for (const { partition, offset } of partitions) ages.note(topic, partition, Number(offset), nowMs - (formerMs[place] ?? 0))
}

async function readEnds(admin: Admin, topic: string): Promise<Ends> {
  const offsets = await admin.fetchTopicOffsets(topic)
  return offsets.map(({ partition, low, high }) => ({ partition, low: Number(low), high: Number(high) }))
}

/** Topics or groups side by side; returns why some of them failed, each with its name. */
async function settle<T extends string | Followed>(items: T[], work: (item: T) => Promise<void>): Promise<Error[]> {
  const faults: Error[] = []
  const settleOne = async (item: T) => {
    const name = typeof item === 'string' ? item : item.group
    await work(item).catch(cause => faults.push(new Error(`${name}: ${cause instanceof Error ? cause.message : cause}`, { cause })))
  }
  await Promise.all(items.map(settleOne))
  return faults
}
