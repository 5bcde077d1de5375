import { isTransient, type Sql } from '@filmgate/kit/database/postgres'
import type { Log } from '@filmgate/kit/telemetry/log'
import { counter } from '@filmgate/kit/telemetry/metrics'
import type { Reservation } from '../books/reservation'
import { findPendingRefunds, type PendingRefund } from '../database/reservation-repository'
import { countMoved, recordRefunds } from './measure-ends'
import { type PostDeps, post } from './post'

/** `verdictAtMs`: when it was decided that there will be no video; left out, when the refund became pending counts. */
export type Refund = Pick<Reservation, 'taskId' | 'accountId'> & {
  traceparent?: string | undefined
  verdictAtMs?: number | undefined
  changedAt?: Date
}

const unposted = counter('ledger_refunds_unposted', 'Tries to post a pending refund that failed for no passing reason')

/**
 * Posts refunds that are pending. Their state is read again under the account's lock: of the sweep and the batch with the verdict, the second
 * finds nothing left to do. A refund that can't be posted is found by halving the list, and stays pending: the sweep tries it again, and the
 * audit reports it. A transient fault of the database is thrown.
 */
export async function completeRefunds(deps: PostDeps & { log: Log }, refunds: readonly Refund[]): Promise<void> {
  if (refunds.length === 0) return
  try {
    const changes = await post(
      deps,
      refunds.map(({ taskId, accountId, traceparent }) => ({ kind: 'conclude', cause: 'refund_due', taskId, accountId, traceparent })),
    )
    countMoved(changes)
    recordRefunds(refunds, changes)
  } catch (error) {
    if (isTransient(error)) throw error
    const half = refunds.length >> 1
    if (half > 0) {
      await completeRefunds(deps, refunds.slice(0, half))
      return completeRefunds(deps, refunds.slice(half))
    }
    unposted.add(1)
    const [{ taskId, accountId } = { taskId: '', accountId: '' }] = refunds
    deps.log.error({ err: error, task_id: taskId, account_id: accountId }, 'refund not posted, stays pending')
  }
}

/** Posts the refunds that a crash left pending, `sweptMax` at a time. Returns how many were found. */
export async function sweepRefunds(deps: PostDeps & { sql: Sql; log: Log }, { sweptMax = 500 } = {}): Promise<number> {
  let found = 0
  let last: PendingRefund | undefined
  for (;;) {
    const pending = await findPendingRefunds(deps.sql, sweptMax, last)
    await completeRefunds(deps, pending)
    found += pending.length
    last = pending.at(-1)
    if (pending.length < sweptMax) return found
  }
}
