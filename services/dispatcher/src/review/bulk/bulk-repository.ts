import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type { Attempt } from '../../attempt/attempt'
import { attemptColumns } from '../../attempt/attempt-repository'
import { attemptJob, recopyJob } from '../../attempt/jobs'
import type { ReviewOutcome } from '../decide-review'
import { fits, knownId } from '../review-repository'

/** Which reviews are meant, and what becomes of them. `cause`: only those whose cause has these words. */
export type BulkTerms = { provider: string; from: Date; to: Date; cause: string | null; outcome: ReviewOutcome }

export type BulkEnd = BulkTerms & {
  id: number
  reason: string
  /** As counted when it was asked for. */
  reviews: number
  credits: number
  leftOut: number
  askedBy: string
  askedAt: Date
  needsSecond: boolean
  approvedBy: string | null
  approvedAt: Date | null
  ended: number
  endedAt: Date | null
}

export type NewBulkEnd = Omit<BulkEnd, 'id' | 'askedAt' | 'approvedBy' | 'approvedAt' | 'ended' | 'endedAt'>

/**
 * Reviews of one model in one state. `leftOut`: an acceptance needs an id of the provider's, and none is known of these;
 * a refund leaves out what an operator has accepted.
 */
export type ReviewCount = {
  model: string
  state: string
  reviews: number
  credits: number
  /** Of the reviews, those whose credits an earlier version did not keep. */
  creditsUnknown: number
  oldest: Date | null
  newest: Date | null
  leftOut: number
}

/** A refund in bulk must not undo what an operator accepted, review by review or in bulk. */
const canEnd = (sql: Sql | TransactionSql, outcome: ReviewOutcome) =>
  outcome === 'accept' ? sql`${knownId(sql)} is not null` : outcome === 'refund' ? sql`not operator_accepted` : sql`true`

export const countReviews = (sql: Sql, { outcome, ...filter }: BulkTerms) =>
  sql<ReviewCount[]>`
    select model, state, count(*) filter (where meant) as reviews, coalesce(sum(credits) filter (where meant), 0)::bigint as credits,
           count(*) filter (where meant and credits is null) as "creditsUnknown", count(*) filter (where not meant) as "leftOut",
           min(review_since) filter (where meant) as oldest, max(review_since) filter (where meant) as newest
    from (
      select model, state, credits, review_since, ${canEnd(sql, outcome)} as meant
      from attempt where ${fits(sql, filter)}
    ) as review
    group by model, state order by model, state`

/** Nothing where one with these terms is not ended. */
export const insertBulkEnd = (sql: Sql, bulk: NewBulkEnd) => sql`
  insert into bulk_review_end (provider, since_from, since_to, cause, outcome, reason, reviews, credits, left_out, asked_by, needs_second)
  values (${bulk.provider}, ${bulk.from}, ${bulk.to}, ${bulk.cause}, ${bulk.outcome}, ${bulk.reason}, ${bulk.reviews}, ${bulk.credits}, ${bulk.leftOut},
          ${bulk.askedBy}, ${bulk.needsSecond})
  on conflict do nothing`

const columns = (sql: Sql | TransactionSql) => sql`
  id, provider, since_from as "from", since_to as "to", cause, outcome, reason, reviews, credits, left_out as "leftOut", asked_by as "askedBy",
  asked_at as "askedAt", needs_second as "needsSecond", approved_by as "approvedBy", approved_at as "approvedAt", ended, ended_at as "endedAt"`

export async function findUnended(sql: Sql, terms: BulkTerms & { reason: string }): Promise<BulkEnd | undefined> {
  const [row] = await sql<BulkEnd[]>`
    select ${columns(sql)} from bulk_review_end
    where provider = ${terms.provider} and since_from = ${terms.from} and since_to = ${terms.to} and outcome = ${terms.outcome}
      and coalesce(cause, '') = ${terms.cause ?? ''} and reason = ${terms.reason} and ended_at is null`
  return row
}

export async function findBulkEnd(sql: Sql | TransactionSql, id: number): Promise<BulkEnd | undefined> {
  const [row] = await sql<BulkEnd[]>`select ${columns(sql)} from bulk_review_end where id = ${id}`
  return row
}

/** Those that are not ended first, then the newest. */
export const listBulkEnds = (sql: Sql, rowsMax: number) =>
  sql<BulkEnd[]>`select ${columns(sql)} from bulk_review_end order by ended_at is not null, id desc limit ${rowsMax}`

/** Whether this approved it: not where somebody has, nor where it is the approver's own. */
export async function approveBulk(sql: Sql, { id, by }: { id: number; by: string }): Promise<boolean> {
  const { count } = await sql`
    update bulk_review_end set approved_by = ${by}, approved_at = now()
    where id = ${id} and needs_second and approved_by is null and lower(trim(asked_by)) <> lower(trim(${by}))`
  return count > 0
}

/** Locked, so that one process at a time goes on with it. `plannedMs`: for how long polls are planned already. */
export async function lockBulkEnd(sql: TransactionSql, id: number): Promise<(BulkEnd & { plannedMs: number }) | undefined> {
  const [row] = await sql<(BulkEnd & { plannedMs: number })[]>`
    select ${columns(sql)}, coalesce(extract(epoch from greatest(planned_until - now(), interval '0')) * 1000, 0)::float8 as "plannedMs"
    from bulk_review_end where id = ${id} for update`
  return row
}

/** The next reviews that it means, by the time at which they were opened; it goes on behind them. */
export const takeNextReviews = (sql: TransactionSql, { id, ...terms }: BulkEnd, rowsMax: number) =>
  sql<{ id: string }[]>`
    with last as (
      select after_since, after_id from bulk_review_end where id = ${id}
    ), next as (
      select attempt.id, review_since from attempt, last
      where ${fits(sql, terms)} and (after_id is null or (review_since, attempt.id) > (after_since, after_id))
      order by review_since, attempt.id limit ${rowsMax}
    ), moved as (
      update bulk_review_end set after_since = furthest.review_since, after_id = furthest.id
      from (select review_since, id from next order by review_since desc, id desc limit 1) as furthest
      where bulk_review_end.id = ${id}
    )
    select id from next`

/** In the order of all that lock several jobs, to the end of the transaction: from then on nobody else changes these attempts. */
export const lockJobsOf = (sql: TransactionSql, attemptIds: string[]) => sql`
  select from job where kind in (${attemptJob}, ${recopyJob}) and id = any(${attemptIds}::text[]) order by kind, id for update`

export type HeldAttempt = Attempt & { knownId: string | null }

/** Of these attempts, those that are held for review and that this outcome can end. */
export const findHeld = (sql: TransactionSql, attemptIds: string[], outcome: ReviewOutcome) =>
  sql<HeldAttempt[]>`
    select ${attemptColumns(sql)}, ${knownId(sql)} as "knownId" from attempt
    where id = any(${attemptIds}::text[]) and review_since is not null and ${canEnd(sql, outcome)} order by review_since, id`

export const updateProgress = (
  sql: TransactionSql,
  { id, ended, plannedMs, isDone }: { id: number; ended: number; plannedMs: number; isDone: boolean },
) => sql`
  update bulk_review_end set ended = ended + ${ended}, planned_until = now() + ${plannedMs}::float8 * interval '1 millisecond',
    ended_at = case when ${isDone} then now() end
  where id = ${id}`
