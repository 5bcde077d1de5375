import type { Outbox } from '@filmgate/kit/outbox'
import type { TransactionSql } from '@filmgate/kit/postgres'
import { CreditsEventSchema } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { encode } from '@filmgate/proto/topics'
import { readClock } from '../account/account-repository'
import { writeBooks } from './books-repository'
import { decide } from './decide'
import type { AccountEvent, Draft } from './draft'
import type { Instruction } from './instruction'
import { readBooks } from './read-books'

export type PostDeps = {
  outbox: Pick<Outbox, 'transaction'>
  /** filmgate.credits.v1 behind its prefix. */
  creditsTopic: string
  /** Open reservations of one account. */
  unfinishedTasksMax: number
  now(): number
  /** The moment of a batch, read under its locks. Left out: the database's clock. */
  clock?(sql: TransactionSql): Promise<number>
}

/** Follows a batch of instructions in one transaction: rows, entries and the events that tell of them, or nothing. */
export async function post(
  { outbox, creditsTopic, unfinishedTasksMax, now, clock = readClock }: PostDeps,
  instructions: readonly Instruction[],
): Promise<Draft> {
  const toMessage = ({ accountId, event, bytes, traceparent }: AccountEvent) => ({
    topic: creditsTopic,
    key: accountId,
    value: bytes ?? encode(CreditsEventSchema, { event }),
    traceparent,
  })
  return outbox.transaction(async (sql, send) => {
    const { nowMs, ...books } = await readBooks(sql, instructions, { openedAtMs: now(), clock })
    const draft = decide(books, instructions, { unfinishedMax: unfinishedTasksMax, nowMs })
    await writeBooks(sql, books, draft, send.part(draft.sent.map(toMessage)))
    return draft
  })
}
