import type { Admin, Consumer } from 'kafkajs'
import { withKafka } from '../with-kafka'
import type { Letter } from './letter'
import { type DeadLetterOptions, findWaiting, partition, readLetters, replayGroupOf, type UseLetters, type Waiting } from './read-letters'
import { withReplayed, writeRanges } from './replayed'

export type RemovalOptions = DeadLetterOptions & {
  /** Called after each portion with the letters that were removed until then. */
  onProgress?(removed: number): void
}

/** Well below the broker's message.max.bytes (1 MiB), which bounds a partition's share of one request. */
const portionBytesMax = 512 * 1_024
const portionLettersMax = 500

/**
 * Hands the waiting letters to `use`, a portion of one topic at a time, and remembers what it returns as removed before the next. If the
 * process is killed in between, the portion is handed over again.
 */
export const removeLetters = (options: RemovalOptions, use: (portion: Letter[]) => Promise<Letter[]>): Promise<void> =>
  withKafka(options, async (kafka, admin) => {
    const { limit = Number.POSITIVE_INFINITY, signal, onProgress = () => {} } = options
    const waiting = await findWaiting(admin, options.topics)
    let removed = 0
    const useAll: UseLetters = async (letters, consumer, alive) => {
      for (const portion of portions(letters.slice(0, limit - removed))) {
        if (signal?.aborted) return false
        const used = await use(portion)
        await remember(consumer, waiting, used)
        removed += used.length
        onProgress(removed)
        await alive()
      }
      return removed < limit
    }
    try {
      for (const [topic, found] of waiting) {
        if (signal?.aborted || removed >= limit) break
        await readLetters(kafka, replayGroupOf(topic), new Map([[topic, found]]), options, useAll)
      }
    } finally {
      await forget(admin, waiting)
    }
  })

/** In their order, cut so that each portion fits into one request. */
function* portions(letters: Letter[]): Generator<Letter[]> {
  let portion: Letter[] = []
  let bytes = 0
  for (const letter of letters) {
    const size = letter.message.value?.length ?? 0
    if (portion.length > 0 && (bytes + size > portionBytesMax || portion.length === portionLettersMax)) {
      yield portion
      portion = []
      bytes = 0
    }
    portion.push(letter)
    bytes += size
  }
  if (portion.length > 0) yield portion
}

async function remember(consumer: Consumer, waiting: Map<string, Waiting>, removed: Letter[]): Promise<void> {
  const topic = removed[0]?.topic ?? ''
  const found = waiting.get(topic)
  if (!found) return
  found.replayed = withReplayed(
    found.replayed,
    removed.map(({ offset }) => offset),
  )
  const { next } = found.replayed
  await consumer.commitOffsets([{ topic, partition, offset: String(next), metadata: writeRanges(found.replayed) }])
}

/** A group nobody is in loses its offsets after a week; the letters themselves would stay for a month and look as if they waited. */
async function forget(admin: Admin, waiting: Map<string, Waiting>): Promise<void> {
  for (const [topic, { low, replayed }] of waiting) {
    if (replayed.next <= low) continue
    await admin.deleteTopicRecords({ topic, partitions: [{ partition, offset: String(replayed.next) }] }).catch(() => undefined)
  }
}
