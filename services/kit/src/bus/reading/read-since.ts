import { randomUUID } from 'node:crypto'
import type { KafkaMessage } from 'kafkajs'
import { createWatchdog } from '../dead-letters/watchdog'
import { headerText } from '../message'
import type { KafkaAccess } from '../open-kafka'
import { withKafka } from '../with-kafka'

export type Kept = { key: string; value: Uint8Array; eventId: string; traceparent: string | undefined }

const silenceTimeoutMs = 30_000

/** What was published to a topic since a moment and is still kept, up to its end of now; in order within a key. Deletions are left out. */
export const readSince = (access: KafkaAccess, topic: string, since: Date): Promise<Kept[]> =>
  withKafka(access, async (kafka, admin) => {
    const [begins, ends] = await Promise.all([admin.fetchTopicOffsetsByTimestamp(topic, since.getTime()), admin.fetchTopicOffsets(topic)])
    const endOf = new Map(ends.map(({ partition, high }) => [partition, Number(high)]))
    const unread = new Map(
      begins.filter(({ partition, offset }) => Number(offset) < (endOf.get(partition) ?? 0)).map(one => [one.partition, one.offset]),
    )
    if (unread.size === 0) return []
    const groupId = `read-since-${randomUUID()}`
    const consumer = kafka.consumer({ groupId, allowAutoTopicCreation: false, maxWaitTimeInMs: 200 })
    const watchdog = createWatchdog(silenceTimeoutMs, `reading ${topic}`, undefined)
    consumer.on(consumer.events.CRASH, ({ payload }) => watchdog.end(payload.error))
    const kept: Kept[] = []
    await consumer.connect()
    try {
      await consumer.subscribe({ topics: [topic], fromBeginning: true })
      const begun = new Map(unread)
      await consumer.run({
        autoCommit: false,
        eachMessage: async ({ partition, message }) => {
          watchdog.alive()
          const offset = Number(message.offset)
          const isAsked = offset >= Number(begun.get(partition) ?? Infinity) && offset < (endOf.get(partition) ?? 0)
          if (isAsked && message.value) kept.push(keptOf(message, message.value))
          if (offset + 1 >= (endOf.get(partition) ?? 0)) unread.delete(partition)
          if (unread.size === 0) watchdog.end()
        },
      })
      for (const [partition, offset] of begun) consumer.seek({ topic, partition, offset })
      await watchdog.finished
    } finally {
      watchdog.end()
      await consumer.disconnect()
      await admin.deleteGroups([groupId]).catch(() => undefined)
    }
    return kept
  })

const keptOf = (message: KafkaMessage, value: Uint8Array): Kept => ({
  key: message.key?.toString() ?? '',
  value,
  eventId: headerText(message, 'event-id') ?? '',
  traceparent: headerText(message, 'traceparent'),
})
