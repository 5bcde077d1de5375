import type { Fragment } from '@filmgate/kit/outbox'
import type { Sql } from '@filmgate/kit/postgres'
import { type BalanceChange, mergeBalances } from '../accounts/account-repository'
import type { Task } from './task'
import { columns } from './task-repository'

/** What one event says of a task; null leaves a column as it is. */
export type TaskChange = {
  id: string
  phase: string | null
  phaseRank: number
  billingStatus: string | null
  billingRank: number
  creditsUsed: number | null
  creditsRefunded: number | null
  videoUrl: string | null
  errorCode: string | null
  errorMessage: string | null
  errorDetails: string | null
  at: Date
}

export type TaskEvent = { taskId: string; eventId: string; kind: string; at: Date; details: object }

/** All that a batch of events says, one change a task and one an account; `usage` inserts the usage records. */
export type Projection = { changes: TaskChange[]; history: TaskEvent[]; balances: BalanceChange[]; usage: Fragment }

/**
 * Merges it all in one statement, which costs one round trip; returns the tasks as they are now. Tasks are locked in id order, so that
 * two replicas that merge the same ones can't deadlock.
 */
export const mergeProjection = (sql: Sql, { changes, history, balances, usage }: Projection) =>
  sql<Task[]>`
    with locked as (select id from task where id = any(${changes.map(change => change.id)}) order by id for update),
    told as (${insertTaskEvents(sql, history)}),
    balanced as (${mergeBalances(sql, balances)}),
    used as (${usage})
    update task set
      phase = case when change.phase_rank > task.phase_rank then change.phase else task.phase end,
      phase_rank = greatest(task.phase_rank, change.phase_rank),
      binds_key = task.binds_key and not (change.phase_rank > task.phase_rank and change.phase = 'declined'),
      billing_status = case when change.billing_rank > task.billing_rank then change.billing_status else task.billing_status end,
      billing_rank = greatest(task.billing_rank, change.billing_rank),
      credits_used = coalesce(change.credits_used, task.credits_used),
      credits_refunded = coalesce(change.credits_refunded, task.credits_refunded),
      video_url = coalesce(change.video_url, task.video_url),
      error_code = coalesce(task.error_code, change.error_code),
      error_message = coalesce(task.error_message, change.error_message),
      error_details = coalesce(task.error_details, change.error_details::jsonb),
      updated_at = greatest(task.updated_at, change.at)
    from unnest(${changes.map(change => change.id)}::text[], ${changes.map(change => change.phase)}::text[],
                ${changes.map(change => change.phaseRank)}::smallint[], ${changes.map(change => change.billingStatus)}::text[],
                ${changes.map(change => change.billingRank)}::smallint[], ${changes.map(change => change.creditsUsed)}::bigint[],
                ${changes.map(change => change.creditsRefunded)}::bigint[], ${changes.map(change => change.videoUrl)}::text[],
                ${changes.map(change => change.errorCode)}::text[], ${changes.map(change => change.errorMessage)}::text[],
                ${changes.map(change => change.errorDetails)}::text[], ${changes.map(change => change.at.toISOString())}::timestamptz[])
      as change (change_id, phase, phase_rank, billing_status, billing_rank, credits_used, credits_refunded, video_url, error_code,
                 error_message, error_details, at)
    join locked on locked.id = change.change_id
    where task.id = change.change_id
    returning ${columns(sql)}`

const insertTaskEvents = (sql: Sql, events: TaskEvent[]): Fragment => sql`
  insert into task_event (task_id, event_id, kind, at, details)
  select task_id, event_id, kind, at, details::jsonb
  from unnest(${events.map(event => event.taskId)}::text[], ${events.map(event => event.eventId)}::uuid[], ${events.map(event => event.kind)}::text[],
              ${events.map(event => event.at.toISOString())}::timestamptz[], ${events.map(event => JSON.stringify(event.details))}::text[])
    as row (task_id, event_id, kind, at, details)
  on conflict do nothing`
