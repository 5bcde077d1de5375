import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt'
import type { Fragment, Sql } from '@filmgate/kit/postgres'
import { ChangeKind } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { Balance } from '@filmgate/proto/gen/filmgate/v1/requests_pb'
import type { LineEvent } from '../tasks/change-of'
import { insertEntries, type NewChangeEntry, type NewTaskEntry } from './usage-repository'

/** Writes the usage records that these events make; an event that comes again changes nothing. */
export const recordUsage = (sql: Sql, events: LineEvent[]): Fragment =>
  insertEntries(
    sql,
    events.flatMap(event => taskEntryOf(event) ?? []),
    events.flatMap(event => changeEntryOf(event) ?? []),
  )

function taskEntryOf(event: LineEvent): NewTaskEntry | undefined {
  if (event.case === 'creditsReserved') {
    const { order, ...balance } = event.value
    // A generation that cost nothing leaves no entry.
    if (!order || order.credits === 0n) return undefined
    return { taskId: order.taskId, kind: 'reservation', credits: -Number(order.credits), ...leaving(balance) }
  }
  if (event.case === 'creditsRefunded' && event.value.credits > 0n) {
    const { taskId, credits } = event.value
    return { taskId, kind: 'refund', credits: Number(credits), ...leaving(event.value) }
  }
  return undefined
}

/** Starter credits are no part of the balance that these records add up to. One decided before its balance was kept has no place in them. */
function changeEntryOf(event: LineEvent): NewChangeEntry | undefined {
  if (event.case !== 'creditsChangeDecided') return undefined
  const { changeId, accountId, kind, balance, credits, applied, balanceVersion } = event.value
  if (!applied || balance !== Balance.PAID || balanceVersion === 0n) return undefined
  const granted = kind === ChangeKind.GRANT
  const entry = { changeId, accountId, kind: granted ? ('grant' as const) : ('debit' as const) }
  return { ...entry, credits: granted ? Number(credits) : -Number(credits), ...leaving(event.value) }
}

type Left = { available: bigint; balanceVersion: bigint; at?: Timestamp | undefined }

const leaving = ({ available, balanceVersion, at }: Left) => ({
  balanceAfter: Number(available),
  version: Number(balanceVersion),
  at: at ? timestampDate(at) : new Date(0),
})
