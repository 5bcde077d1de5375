import type { Sql } from '@filmgate/kit/postgres'
import { type PostDeps, post } from '../batch/post'
import type { Reservation } from './reservation'
import { findPendingRefunds } from './reservation-repository'

export type Refund = Pick<Reservation, 'taskId' | 'accountId'> & { traceparent?: string | undefined }

/**
 * Posts refunds that are pending. Their state is looked at again under the account's lock, so that whoever comes second, the
 * sweep or the batch that heard the verdict, finds nothing left to do.
 */
export async function completeRefunds(deps: PostDeps, refunds: readonly Refund[]): Promise<void> {
  if (refunds.length === 0) return
  await post(
    deps,
    refunds.map(({ taskId, accountId, traceparent }) => ({ kind: 'conclude', heard: 'refund_due', taskId, accountId, traceparent })),
  )
}

const sweptMax = 500

/** Posts the refunds that a crash left pending. Returns how many were found. */
export async function sweepRefunds(deps: PostDeps & { sql: Sql }): Promise<number> {
  const pending = await findPendingRefunds(deps.sql, sweptMax)
  await completeRefunds(deps, pending)
  return pending.length
}
