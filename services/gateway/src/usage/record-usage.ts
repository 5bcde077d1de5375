import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt'
import type { Fragment, Sql } from '@filmgate/kit/postgres'
import type { LineEvent } from '../tasks/change-of'
import { insertEntries, type NewEntry } from './usage-repository'

/** Writes the usage records that these events make; an event that comes again changes nothing. */
export const recordUsage = (sql: Sql, events: LineEvent[]): Fragment =>
  insertEntries(
    sql,
    events.flatMap(event => entryOf(event) ?? []),
  )

function entryOf(event: LineEvent): NewEntry | undefined {
  if (event.case === 'creditsReserved') {
    const { order, available, at } = event.value
    // A generation that cost nothing leaves no entry.
    if (!order || order.credits === 0n) return undefined
    return { taskId: order.taskId, kind: 'reservation', credits: -Number(order.credits), balanceAfter: Number(available), at: dateOf(at) }
  }
  if (event.case === 'creditsRefunded' && event.value.credits > 0n) {
    const { taskId, credits, available, at } = event.value
    return { taskId, kind: 'refund', credits: Number(credits), balanceAfter: Number(available), at: dateOf(at) }
  }
  return undefined
}

const dateOf = (at: Timestamp | undefined): Date => (at ? timestampDate(at) : new Date(0))
