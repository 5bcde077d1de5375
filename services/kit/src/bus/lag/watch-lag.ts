import type { Admin } from 'kafkajs'
import { pause, withDeadline } from '../../deadline'
import type { Log } from '../../telemetry/log'
import { gauge } from '../../telemetry/metrics'
import { replayGroupOf } from '../dead-letters/read-letters'
import { type KafkaAccess, openKafka } from '../open-kafka'
import { createAges } from './ages'
import { type AgedLag, type Followed, measureAgedLag } from './measure-lag'

const readTimeoutMs = 8_000
const disconnectTimeoutMs = 2_000
/** What is older is not shown: a broker that does not answer says nothing of what waits on it. */
const keptMs = 60_000

export type LagOptions = KafkaAccess & {
  log: Log
  groups: Followed[]
  /** The topics of dead letters: how much of them `ops dlq replay` has not sent back. */
  deadLetterTopics: string[]
  everyMs?: number
}

/** Asks the broker every `everyMs` how far each group is, and shows the last answer: a scrape never waits for the broker. */
export function watchLag({ log, groups, deadLetterTopics, everyMs = 10_000, ...access }: LagOptions): { stop(): Promise<void> } {
  const kafka = openKafka(access, { clientId: 'lag', connectionTimeout: 2_000, retry: { retries: 1 } })
  const replayed = deadLetterTopics.map(topic => ({ group: replayGroupOf(topic), topics: [topic] }))
  const replayGroups = new Set(replayed.map(({ group }) => group))
  const followed = [...groups, ...replayed]
  const stopping = new AbortController()
  const ages = createAges()
  let rows: AgedLag[] = []
  let readAt = Number.NEGATIVE_INFINITY
  let wholeAt = performance.now()
  let admin: Admin | undefined

  const shown = () => (performance.now() - readAt < keptMs ? rows : [])
  const ofGroups = () => shown().filter(({ group }) => !replayGroups.has(group))
  const show = (name: string, description: string, value: (row: AgedLag) => number) =>
    gauge(name, description, () =>
      ofGroups().map(row => ({ value: value(row), attributes: { group: row.group, topic: row.topic, partition: row.partition } })),
    )
  show('bus_consumer_lag', 'Messages of a partition that a group has not handled, by the broker', row => row.lag)
  show(
    'bus_consumer_lag_seconds',
    'How long the oldest message of a partition that a group has not handled has been there, by the broker; 0 where none waits',
    row => row.waitedMs / 1_000,
  )
  show('bus_consumer_offset', 'Next message of a partition that a group will handle, by the broker', row => row.offset)
  show('bus_consumer_missed', 'Messages of a partition that were deleted before a group handled them, by the broker', row => row.missed)
  gauge('bus_dead_letters_waiting', 'Dead letters that were not sent back', () =>
    shown()
      .filter(({ group }) => replayGroups.has(group))
      .map(({ topic, lag }) => ({ value: lag, attributes: { topic } })),
  )
  gauge('bus_lag_age_seconds', 'Seconds since the lag of every group could be read', () => (performance.now() - wholeAt) / 1_000)

  async function read(): Promise<void> {
    const asked = admin ?? kafka.admin()
    const startedAt = performance.now()
    try {
      const measured = await withDeadline(ask(asked), readTimeoutMs, 'reading the lag')
      rows = measured.rows
      readAt = startedAt
      if (measured.faults.length > 0) throw measured.faults[0]
      wholeAt = startedAt
    } catch (error) {
      log.warn({ err: error }, 'consumer lag not read completely')
      admin = undefined
      await withDeadline(asked.disconnect(), disconnectTimeoutMs, 'disconnecting').catch(() => {})
    }
  }

  async function ask(asked: Admin): ReturnType<typeof measureAgedLag> {
    if (asked !== admin) await asked.connect()
    admin = asked
    return measureAgedLag(asked, followed, { ages, nowMs: performance.now() })
  }

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      await read()
      await pause(everyMs, stopping.signal)
    }
    if (admin) await withDeadline(admin.disconnect(), disconnectTimeoutMs, 'disconnecting').catch(() => {})
  }

  const watching = watch()
  return {
    async stop() {
      stopping.abort()
      await watching
    },
  }
}
