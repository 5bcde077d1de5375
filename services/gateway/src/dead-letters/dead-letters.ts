import { countDeadLetters } from '@filmgate/kit/bus/dead-letters/count'
import { discardDeadLetters } from '@filmgate/kit/bus/dead-letters/discard'
import { listDeadLetters } from '@filmgate/kit/bus/dead-letters/list'
import { replayDeadLetters } from '@filmgate/kit/bus/dead-letters/replay'
import type { KafkaAccess } from '@filmgate/kit/bus/open-kafka'
import type { Sql } from '@filmgate/kit/database/postgres'
import type { DeadLetter, Discard, DiscardedLetter, LetterCount, Replay } from '@filmgate/proto/operator/bus'
import { topicPlan } from '@filmgate/proto/topics'
import { insertDiscarded, listDiscarded } from './discarded-letter-repository'

export type LetterFilter = { topic: string; eventId: string | undefined; group: string | undefined; limit: number }

/** What consumers of all services have set aside, for who has no broker at hand. */
export type DeadLetters = {
  /** Of every dead-letter topic there is. */
  topics: string[]
  count(): Promise<LetterCount[]>
  list(filter: LetterFilter): Promise<DeadLetter[]>
  replay(filter: LetterFilter & { by: string }): Promise<Replay>
  /** Each is a row of `discarded_letter` before it is removed. */
  discard(filter: LetterFilter & { by: string; reason: string }): Promise<Discard>
  listDiscarded(rowsMax: number): Promise<DiscardedLetter[]>
}

export function createDeadLetters(sql: Sql, kafka: KafkaAccess, topicPrefix: string): DeadLetters {
  // The number of partitions plays no part in the names.
  const topics = topicPlan(topicPrefix, 1)
    .map(({ topic }) => topic)
    .filter(topic => topic.endsWith('.dlq'))
  return {
    topics,
    count: () => countDeadLetters({ ...kafka, topics }),
    list: ({ topic, ...filter }) => listDeadLetters({ ...kafka, ...filter, topics: [topic] }),
    replay: ({ topic, by, ...filter }) => replayDeadLetters({ ...kafka, ...filter, topics: [topic], replayedBy: by }),
    discard: ({ topic, by, reason, ...filter }) =>
      discardDeadLetters({
        ...{ ...kafka, ...filter, topics: [topic] },
        record: async letters => void (await insertDiscarded(sql, letters, { by, reason })),
      }),
    listDiscarded: rowsMax => listDiscarded(sql, rowsMax),
  }
}
