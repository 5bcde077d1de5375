import { backoffMs, pause } from '../deadline'
import type { OutboxRow } from './outbox-repository'
import { type PublishDeps, publishRows } from './publish-rows'

/** Rows held in memory while the broker does not answer; what comes on top is left to the sweeper. */
const queuedRowsMax = 20_000
const publishRowsMax = 2_000

export type OutboxPump = {
  add(rows: OutboxRow[]): void
  /** How long the oldest row has been waiting. */
  waitingMs(): number
  /** Ends once the queue is empty or the broker fails. */
  stop(): Promise<void>
}

/**
 * Publishes committed rows in the order in which they were added, again and again while the broker does not answer: a row that
 * overtook another of its key would be handled in the wrong order. A row that the broker refuses by itself is left to the sweeper.
 */
export function createOutboxPump(deps: PublishDeps, onPublished: (ids: string[]) => void): OutboxPump {
  const stopping = new AbortController()
  let queue: { row: OutboxRow; addedAt: number }[] = []
  let pumping: Promise<void> | undefined

  async function pump(): Promise<void> {
    for (let failures = 0; queue.length > 0; ) {
      const rows = queue.slice(0, publishRowsMax).map(({ row }) => row)
      try {
        onPublished((await publishRows(deps, rows)).taken)
        queue = queue.slice(rows.length)
        failures = 0
      } catch (error) {
        if (stopping.signal.aborted) return
        failures += 1
        deps.log.warn({ err: error, events: queue.length }, 'events not published, retrying')
        await pause(backoffMs(failures, 100, 2_000), stopping.signal)
      }
    }
    // In the same turn as the look at the queue: what is added later finds no pump and starts one.
    pumping = undefined
  }

  return {
    add(rows) {
      if (rows.length === 0 || queue.length + rows.length > queuedRowsMax) return
      const addedAt = performance.now()
      for (const row of rows) queue.push({ row, addedAt })
      pumping ??= pump()
    },
    waitingMs: () => (queue[0] ? performance.now() - queue[0].addedAt : 0),
    async stop() {
      stopping.abort()
      await pumping
    },
  }
}
