import type { Outbox } from '@filmgate/kit/outbox'
import { CreditsEventSchema } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { encode } from '@filmgate/proto/topics'
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
}

/** Follows a batch of instructions in one transaction: rows, entries and the events that tell of them, or nothing. */
export async function post(
  { outbox, creditsTopic, unfinishedTasksMax, now }: PostDeps,
  instructions: readonly Instruction[],
): Promise<Draft> {
  const rules = { unfinishedMax: unfinishedTasksMax, nowMs: now() }
  const toMessage = ({ accountId, event, bytes, traceparent }: AccountEvent) => ({
    topic: creditsTopic,
    key: accountId,
    value: bytes ?? encode(CreditsEventSchema, { event }),
    traceparent,
  })
  return outbox.transaction(async (sql, send) => {
    const books = await readBooks(sql, instructions, rules.nowMs)
    const draft = decide(books, instructions, rules)
    await writeBooks(sql, books, draft, send.part(draft.sent.map(toMessage)))
    return draft
  })
}
