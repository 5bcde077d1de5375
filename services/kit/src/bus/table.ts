import { randomUUID } from 'node:crypto'
import type { Kafka } from 'kafkajs'
import { backoffMs, pause, withDeadline } from '../deadline'
import type { Log } from '../telemetry/log'
import { watch } from './watch'

const stalledAfterMs = 30_000

export type TableOptions<T> = {
  topic: string
  read(bytes: Uint8Array): T
  /** Called once a row, in order; `row` is undefined where the key was deleted. A row that can't be read is left out and logged. */
  apply(key: string, row: T | undefined): void
}

export type Table = {
  /** True once what was there at the start has been read. */
  ready(): boolean
  stop(): Promise<void>
}

/** Follows a compacted topic from its beginning in a group of its own, which is deleted on the way out. */
export function readTable<T>(kafka: Kafka, clientId: string, log: Log, { topic, read, apply }: TableOptions<T>): Table {
  const stopping = new AbortController()
  let ready = false

  async function follow(): Promise<void> {
    const groupId = `${clientId}-table-${randomUUID()}`
    const admin = kafka.admin({ retry: { retries: 1 } })
    const consumer = kafka.consumer({
      groupId,
      sessionTimeout: 10_000,
      heartbeatInterval: 2_000,
      maxWaitTimeInMs: 1_000,
      allowAutoTopicCreation: false,
      retry: { retries: 2, restartOnFailure: async () => false },
    })
    const watched = watch(consumer, { stalledAfterMs, stop: stopping.signal })
    try {
      await withDeadline(admin.connect(), 5_000, 'connecting to the broker')
      const offsets = await withDeadline(admin.fetchTopicOffsets(topic), 5_000, 'reading offsets')
      const unread = new Map(offsets.filter(row => Number(row.high) > Number(row.low)).map(row => [row.partition, Number(row.high)]))
      if (unread.size === 0) ready = true
      const ending = await watched.follow(async () => {
        await withDeadline(consumer.connect(), 5_000, 'connecting to the broker')
        await consumer.subscribe({ topics: [topic], fromBeginning: true })
        await consumer.run({
          autoCommit: false,
          eachMessage: async ({ partition, message }) => {
            applyMessage(message)
            if (Number(message.offset) + 1 >= (unread.get(partition) ?? 0)) unread.delete(partition)
            if (unread.size === 0) ready = true
          },
        })
      })
      if (ending instanceof Error) throw ending
    } finally {
      watched.close()
      await withDeadline(consumer.disconnect(), 5_000, 'disconnecting').catch(() => {})
      await withDeadline(admin.deleteGroups([groupId]), 2_000, 'deleting the group').catch(() => {})
      await withDeadline(admin.disconnect(), 2_000, 'disconnecting').catch(() => {})
    }
  }

  function applyMessage(message: { key: Buffer | null; value: Buffer | null }) {
    const key = message.key?.toString() ?? ''
    try {
      apply(key, message.value ? read(message.value) : undefined)
    } catch (error) {
      log.error({ err: error, topic, key }, 'invalid row of a compacted topic skipped')
    }
  }

  async function supervise(): Promise<void> {
    for (let tries = 1; !stopping.signal.aborted; tries++) {
      await follow().catch(error => log.warn({ err: error, topic, tries }, 'compacted topic reader failed, reading again'))
      await pause(backoffMs(tries, 200, 2_000), stopping.signal)
    }
  }

  const supervised = supervise()
  return {
    ready: () => ready,
    async stop() {
      stopping.abort()
      await supervised
    },
  }
}
