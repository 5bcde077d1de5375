import { countDeadLetters } from '@filmgate/kit/bus/dead-letters/count'
import { listDeadLetters } from '@filmgate/kit/bus/dead-letters/list'
import { replayDeadLetters } from '@filmgate/kit/bus/dead-letters/replay'
import type { KafkaAccess } from '@filmgate/kit/bus/open-kafka'
import type { DeadLetter, LetterCount, Replay } from '@filmgate/proto/operator/bus'
import { topicPlan } from '@filmgate/proto/topics'

type Asked = { topic: string; eventId: string | undefined; limit: number }

/** What consumers of all services have set aside, for who has no broker at hand. */
export type DeadLetters = {
  /** Of every dead-letter topic there is. */
  topics: string[]
  count(): Promise<LetterCount[]>
  list(asked: Asked): Promise<DeadLetter[]>
  replay(asked: Asked & { by: string }): Promise<Replay>
}

export function createDeadLetters(kafka: KafkaAccess, topicPrefix: string): DeadLetters {
  // The number of partitions plays no part in the names.
  const topics = topicPlan(topicPrefix, 1)
    .map(({ topic }) => topic)
    .filter(topic => topic.endsWith('.dlq'))
  return {
    topics,
    count: () => countDeadLetters({ ...kafka, topics }),
    list: ({ topic, ...asked }) => listDeadLetters({ ...kafka, ...asked, topics: [topic] }),
    replay: ({ topic, by, ...asked }) => replayDeadLetters({ ...kafka, ...asked, topics: [topic], replayedBy: by }),
  }
}
