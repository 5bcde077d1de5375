import type { TransactionSql } from '@filmgate/kit/database/postgres'
import type { Outbox } from '@filmgate/kit/outbox/outbox'
import { CreditsEventSchema } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { encode } from '@filmgate/proto/topics'
import type { AccountEvent, BookChanges } from '../books/book-changes'
import type { Instruction } from '../books/instruction'
import { readClock } from '../database/account-repository'
import { writeBooks } from '../database/books-repository'
import { decide } from '../decision/decide'
import { readBooks } from './read-books'

export type PostDeps = {
  outbox: Pick<Outbox, 'transaction'>
  /** filmgate.credits.v1 behind its prefix. */
  creditsTopic: string
  /** Tasks of one account that count at once. */
  unfinishedTasksMax: number
  now(): number
  /**
   * The moment of a batch, read under its locks. Left out: the database's clock. A pod's clock would put records of two pods out of order,
   * and `balance_after` of the usage records would not add up.
   */
  clock?(sql: TransactionSql): Promise<number>
}

/** Follows a batch of instructions in one transaction: it writes rows, entries and the events about them, or nothing. */
export async function post(
  { outbox, creditsTopic, unfinishedTasksMax, now, clock = readClock }: PostDeps,
  instructions: readonly Instruction[],
): Promise<BookChanges> {
  const toMessage = ({ accountId, event, bytes, traceparent }: AccountEvent) => ({
    topic: creditsTopic,
    key: accountId,
    value: bytes ?? encode(CreditsEventSchema, { event }),
    traceparent,
  })
  return outbox.transaction(async (sql, send) => {
    const unfinishedMax = unfinishedTasksMax
    const { nowMs, ...books } = await readBooks(sql, instructions, { openedAtMs: now(), clock, unfinishedMax })
    const changes = decide(books, instructions, { unfinishedMax, nowMs })
    await writeBooks(sql, books, changes, send.fragment(changes.events.map(toMessage)))
    return changes
  })
}
