import { uuidv7 } from 'uuidv7'
import type { Bus, Outgoing } from '../bus/bus'
import type { Fragment, Sql, TransactionSql } from '../database/postgres'
import { pause } from '../deadline'
import type { Log } from '../telemetry/log'
import { gauge } from '../telemetry/metrics'
import { traceparent } from '../telemetry/trace'
import { createOutboxPump } from './outbox-pump'
import { countOutbox, countRefusedOutbox, findOldestOutboxSeconds, insertOutbox, type OutboxRow } from './outbox-repository'
import { createPublishedRows } from './published-rows'
import { sweep, sweepAfterMs } from './sweep'

const sweepEveryMs = 2_000
const takeOffEveryMs = 200

export type Event = Outgoing & { value: Uint8Array }
/** `fragment` leaves the insertion to the caller, who must make it a part of a statement of the same transaction: it saves a round trip. */
export type Send = ((messages: Event[]) => void) & { fragment(messages: Event[]): Fragment }
/** What an event tells of; it is sent where that was written. */
export type EventOf = Event & { subject: string }

type Subjects = { has(subject: string): boolean }

export type Outbox = {
  /** Commits what `work` writes together with what it sends, then publishes without waiting for the broker. */
  transaction<T>(work: (sql: TransactionSql, send: Send) => Promise<T>): Promise<T>
  /**
   * The same in a single statement, which costs one round trip: `write` makes `insertion`, with a `where` about `event.subject`, a part of
   * its statement and returns the subjects that were written, a set or a map by them.
   */
  statement<W extends Subjects>(events: EventOf[], write: (sql: Sql, insertion: Fragment) => Promise<W>): Promise<W>
  stop(): Promise<void>
}

export type OutboxDeps = {
  sql: Sql
  bus: Pick<Bus, 'publish'>
  log: Log
}

/** State and event in one transaction; published right after commit; a sweeper catches what a crash or a dead broker left. */
export function createOutbox({ sql, bus, log }: OutboxDeps): Outbox {
  const stopping = new AbortController()
  const published = createPublishedRows(sql)
  const pump = createOutboxPump({ bus, log }, published.add)
  gauge('outbox_waiting', 'Events not yet known to be on the broker', () => countOutbox(sql))
  gauge('outbox_refused_waiting', 'Events of a topic that the broker refuses; they stay and are tried again', async () =>
    (await countRefusedOutbox(sql)).map(({ topic, rows }) => ({ value: rows, attributes: { topic } })),
  )
  gauge('outbox_oldest_seconds', 'Age of the oldest event not yet known to be on the broker', () => findOldestOutboxSeconds(sql))

  async function sweepUnlessQueued(): Promise<void> {
    // Rows that old may be waiting in this process's own queue, which publishes them itself, and in order.
    if (pump.waitingMs() <= sweepAfterMs) await sweep({ sql, bus, log }, stopping.signal)
  }

  async function every(ms: number, work: () => Promise<unknown>, words: string): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(ms, stopping.signal)
      await work().catch(error => log.warn({ err: error }, words))
    }
  }

  const loops = [
    every(takeOffEveryMs, published.flush, 'taking published events off the outbox failed'),
    every(sweepEveryMs, sweepUnlessQueued, 'sweeping the outbox failed'),
  ]

  return {
    async transaction(work) {
      const rows: OutboxRow[] = []
      const inserted: OutboxRow[] = []
      const result = await sql.begin(async sql => {
        const send = Object.assign((messages: Event[]) => void rows.push(...messages.map(toRow)), {
          fragment(messages: Event[]) {
            const own = messages.map(toRow)
            inserted.push(...own)
            return insertOutbox(sql as TransactionSql, own)
          },
        })
        const result = await work(sql as TransactionSql, send)
        if (rows.length > 0) await insertOutbox(sql as TransactionSql, rows)
        return result
      })
      pump.add([...inserted, ...rows])
      return result as never
    },
    async statement(events, write) {
      const rows = events.map(event => ({ subject: event.subject, row: toRow(event) }))
      const insertion = insertOutbox(
        sql,
        rows.map(({ row }) => row),
        rows.map(({ subject }) => subject),
      )
      const written = await write(sql, insertion)
      pump.add(rows.filter(({ subject }) => written.has(subject)).map(({ row }) => row))
      return written
    },
    async stop() {
      stopping.abort()
      await Promise.all(loops)
      await pump.stop()
      await published
        .flush()
        .catch(error => log.warn({ err: error }, 'published events not deleted from the outbox; they will be published again'))
    },
  }
}

const toRow = ({ topic, key, value, eventId, traceparent: parent = traceparent(), headers }: Event): OutboxRow => ({
  id: eventId ?? uuidv7(),
  topic,
  key,
  value,
  headers: { ...headers, ...(parent && { traceparent: parent }) },
})
