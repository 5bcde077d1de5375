import type { TransactionSql } from '@filmgate/kit/database/postgres'
import type { Detail } from './money-checks-repository'

/** How long a reservation may stay in an open state before it is a finding. */
export type Ages = { reservedMaxMs: number; reviewMaxMs: number; refundPendingMaxMs: number }

type Check = (sql: TransactionSql, limit: number, nowMs: number, ages: Ages) => PromiseLike<Detail[]>

/** A pending refund is posted within moments. */
export const stuckRefunds: Check = (sql, limit, nowMs, { refundPendingMaxMs }) => sql`
  select format('the refund of %s is pending since %s', task_id, changed_at) as detail
  from reservation where state = 'refund_pending' and changed_at < to_timestamp(${nowMs - refundPendingMaxMs}::float8 / 1000) order by changed_at limit ${limit}`

/** No generation takes days, so no verdict is to be expected for these. */
export const forgottenReservations: Check = (sql, limit, nowMs, { reservedMaxMs }) => sql`
  select format('%s is reserved without a verdict since %s', task_id, reserved_at) as detail
  from reservation where state = 'reserved' and reserved_at < to_timestamp(${nowMs - reservedMaxMs}::float8 / 1000) order by reserved_at limit ${limit}`

/** A review ends by its provider's verdict or by an operator's. */
export const forgottenReviews: Check = (sql, limit, nowMs, { reviewMaxMs }) => sql`
  select format('%s is in review since %s', task_id, changed_at) as detail
  from reservation where state = 'review' and changed_at < to_timestamp(${nowMs - reviewMaxMs}::float8 / 1000) order by changed_at limit ${limit}`

/** Verdicts that contradicted the books and that nobody has acknowledged. */
export const openContradictions: Check = (sql, limit) => sql`
  select case when detail is not null then format('%s was %s', task_id, detail)
              else format('%s was heard to be %s while its reservation of account %s was %s', task_id, verdict, account_id, coalesce(state::text, 'unknown'))
         end as detail
  from contradiction where acknowledged_at is null order by seen_at limit ${limit}`

/** Events reach the broker within a minute. */
export const stuckEvents: Check = (sql, limit, nowMs) => sql`
  select format('event %s of %s waits since %s', id, topic, created_at) as detail
  from outbox where created_at < to_timestamp(${nowMs}::float8 / 1000) - interval '1 minute' order by 1 limit ${limit}`
