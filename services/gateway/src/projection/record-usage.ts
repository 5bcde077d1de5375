import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt'
import type { Fragment, Sql } from '@filmgate/kit/database/postgres'
import { ChangeKind } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { Balance } from '@filmgate/proto/gen/filmgate/v1/requests_pb'
import { insertRecords, type NewChangeRecord, type NewTaskRecord } from '../usage/usage-repository'
import type { PipelineEvent } from './pipeline-event'

/** Inserts the usage records that these events make; an event that comes again changes nothing. */
export const recordUsage = (sql: Sql, events: PipelineEvent[]): Fragment =>
  insertRecords(
    sql,
    events.flatMap(event => taskRecordOf(event) ?? []),
    events.flatMap(event => changeRecordOf(event) ?? []),
  )

function taskRecordOf(event: PipelineEvent): NewTaskRecord | undefined {
  if (event.case === 'creditsReserved' || event.case === 'taskRecorded') {
    const balance = event.value
    const order = event.case === 'creditsReserved' ? event.value.order : event.value.request?.order
    // A generation that cost nothing leaves no record.
    if (!order || order.credits === 0n) return undefined
    return {
      taskId: order.taskId,
      kind: 'reservation',
      credits: -Number(order.credits),
      starter: -Number(balance.starter),
      ...leaving(balance),
    }
  }
  if (event.case === 'creditsRefunded' && event.value.credits > 0n) {
    const { taskId, credits, starter } = event.value
    return { taskId, kind: 'refund', credits: Number(credits), starter: Number(starter), ...leaving(event.value) }
  }
  if (event.case === 'creditsSettled' && event.value.refunded > 0n) {
    const { taskId, refunded, refundedStarter } = event.value
    const returned = { credits: Number(refunded), starter: Number(refundedStarter), part: true }
    return { taskId, kind: 'refund', ...returned, ...leaving(event.value) }
  }
  return undefined
}

/**
 * The records' paid credits add up to the paid balance: starter credits are granted without a record, and a change has what it moved of the
 * balance, without what was owed. Changes decided before their balance was kept have none.
 */
function changeRecordOf(event: PipelineEvent): NewChangeRecord | undefined {
  if (event.case !== 'creditsChangeDecided') return undefined
  const { changeId, accountId, kind, balance, credits, owed, applied, balanceVersion } = event.value
  const moved = Number(credits - owed)
  if (!applied || moved === 0 || balance !== Balance.PAID || balanceVersion === 0n) return undefined
  const granted = kind === ChangeKind.GRANT
  const record = { changeId, accountId, kind: granted ? ('grant' as const) : ('debit' as const) }
  return { ...record, credits: granted ? moved : -moved, ...leaving(event.value) }
}

type Left = { available: bigint; balanceVersion: bigint; at?: Timestamp | undefined }

const leaving = ({ available, balanceVersion, at }: Left) => ({
  balanceAfter: Number(available),
  version: Number(balanceVersion),
  at: at ? timestampDate(at) : new Date(0),
})
