import type { LetterCount } from '@filmgate/proto/operator/bus'
import { withKafka } from '../with-kafka'
import { type DeadLetterOptions, findWaiting } from './read-letters'

/** How many letters of each topic wait to be replayed. None is read. */
export const countDeadLetters = (options: Pick<DeadLetterOptions, 'brokers' | 'tls' | 'sasl' | 'topics'>): Promise<LetterCount[]> =>
  withKafka(options, async (_, admin) => {
    const found = await findWaiting(admin, options.topics)
    return options.topics.map(topic => {
      const waiting = found.get(topic)
      if (!waiting) return { topic, waiting: 0 }
      const { next, ranges } = waiting.replayed
      const replayedBeyond = ranges.reduce((sum, [from, to]) => sum + Math.max(0, to - Math.max(from, next) + 1), 0)
      return { topic, waiting: waiting.end - next - replayedBeyond }
    })
  })
