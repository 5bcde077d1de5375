import { uuidv7 } from 'uuidv7'
import type { Bus, Outgoing } from './bus'
import { pause } from './deadline'
import type { Log } from './log'
import { counter, gauge } from './metrics'
import { createOutboxPump, publishRows } from './outbox-pump'
import { countOutbox, deleteOutbox, insertOutbox, lockOldOutbox, type OutboxRow } from './outbox-repository'
import type { Sql, TransactionSql } from './postgres'
import { traceparent } from './trace'

const sweepEveryMs = 2_000
/** Older rows were left by a crash or a broker that did not answer; younger ones are being published by whoever wrote them. */
const sweepAfterMs = 4_000
const sweepRowsMax = 1_000
const deleteEveryMs = 200

export type Send = (messages: (Outgoing & { value: Uint8Array })[]) => void

export type Outbox = {
  /** Commits what `work` writes together with what it sends, then publishes without waiting for the broker. */
  transaction<T>(work: (sql: TransactionSql, send: Send) => Promise<T>): Promise<T>
  stop(): Promise<void>
}

const swept = counter('outbox_swept', 'Events that the sweeper published')

/** State and event in one transaction; published right after commit; a sweeper catches what a crash or a dead broker left. */
export function createOutbox({ sql, bus, log }: { sql: Sql; bus: Pick<Bus, 'publish'>; log: Log }): Outbox {
  const stopping = new AbortController()
  let published: string[] = []
  const pump = createOutboxPump(bus, log, ids => void published.push(...ids))
  gauge('outbox_waiting', 'Events not yet known to be on the broker', () => countOutbox(sql))

  async function deletePublished(): Promise<void> {
    if (published.length === 0) return
    const ids = published
    published = []
    await deleteOutbox(sql, ids).catch(error => {
      published.push(...ids)
      throw error
    })
  }

  /** Returns how many rows it has published. */
  async function sweep(): Promise<number> {
    // Rows that old may be waiting in this process's own queue, which publishes them itself, and in order.
    if (pump.waitingMs() > sweepAfterMs) return 0
    return sql.begin(async sql => {
      const rows = await lockOldOutbox(sql, sweepAfterMs, sweepRowsMax)
      if (rows.length === 0) return 0
      const ids = await publishRows(bus, rows, log)
      await deleteOutbox(sql, ids)
      swept.add(ids.length)
      return ids.length
    })
  }

  async function every(ms: number, work: () => Promise<unknown>, words: string): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(ms, stopping.signal)
      await work().catch(error => log.warn({ err: error }, words))
    }
  }

  const loops = [
    every(deleteEveryMs, deletePublished, 'deleting published events failed'),
    every(
      sweepEveryMs,
      async () => {
        while ((await sweep()) === sweepRowsMax);
      },
      'sweeping the outbox failed',
    ),
  ]

  return {
    async transaction(work) {
      const rows: OutboxRow[] = []
      const send: Send = messages => {
        for (const message of messages) rows.push(toRow(message))
      }
      const result = await sql.begin(async sql => {
        const result = await work(sql as TransactionSql, send)
        if (rows.length > 0) await insertOutbox(sql as TransactionSql, rows)
        return result
      })
      if (rows.length > 0) pump.add(rows)
      return result as never
    },
    async stop() {
      stopping.abort()
      await Promise.all(loops)
      await pump.stop()
      await deletePublished().catch(error => log.warn({ err: error }, 'published events not deleted; they will be sent again'))
    },
  }
}

const toRow = ({
  topic,
  key,
  value,
  eventId,
  traceparent: parent = traceparent(),
  headers,
}: Outgoing & { value: Uint8Array }): OutboxRow => ({
  id: eventId ?? uuidv7(),
  topic,
  key,
  value,
  headers: { ...headers, ...(parent && { traceparent: parent }) },
})
