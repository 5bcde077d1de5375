import type { Consumer } from 'kafkajs'
import type { Log } from '../telemetry/log'

type Offset = { topic: string; partition: number; offset: string }

/**
 * Commits what has been handled once a second, for all partitions at once. Committing after every batch, as kafkajs does by
 * itself, costs a request a partition and makes the next fetch wait for it; handlers are idempotent, so a crash only repeats.
 */
export function createCommits(consumer: Consumer, log: Log) {
  const handled = new Map<string, Offset>()
  let assignment = 0

  async function commit(): Promise<void> {
    if (handled.size === 0) return
    const offsets = [...handled.values()]
    handled.clear()
    try {
      await consumer.commitOffsets(offsets)
    } catch (error) {
      log.debug({ err: error }, 'offsets not committed now')
      // What has been handled meanwhile is newer.
      for (const offset of offsets) if (!handled.has(key(offset))) handled.set(key(offset), offset)
    }
  }

  return {
    commit,
    /** The assignment that messages of now belong to. */
    assignment: () => assignment,
    /** `last` is the last offset handled. What was delivered under a former assignment may be another member's now. */
    handled(of: number, topic: string, partition: number, last: string): void {
      if (of !== assignment) return
      const offset = { topic, partition, offset: String(BigInt(last) + 1n) }
      handled.set(key(offset), offset)
    },
    /**
     * After a new assignment: what was handled before may be another member's now, and must not be set back. After a failure:
     * nothing delivered until now counts any more. What had been handled and not committed is delivered again.
     */
    forget(): void {
      assignment += 1
      handled.clear()
    },
  }
}

const key = ({ topic, partition }: Offset): string => `${topic}/${partition}`
