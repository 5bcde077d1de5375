import type { Fragment, Sql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import { type BalanceChange, mergeBalances } from '../balances/balance-repository'
import { mergeSpend, type SpendChange } from '../budgets/budget-repository'
import { type Crossing, mergeCrossings } from '../budgets/crossing-repository'
import { type ChangeDecision, decideChanges } from '../credit-changes/credit-change-repository'
import { insertBalanceNotices, insertTaskNotices } from '../notices/notice-repository'
import { ended } from '../recovery/task-request-repository'
import { billingStatuses, phases, type Task } from '../tasks/task'
import { columns } from '../tasks/task-repository'

/** What one event changes of a task; null leaves a column as it is. */
export type TaskChange = {
  id: string
  phase: string | null
  phaseRank: number
  /** Its request may be sent again under the same Idempotency-Key. */
  freesKey: boolean
  billingStatus: string | null
  billingRank: number
  countsUntil: Date | null
  creditsUsed: number | null
  creditsRefunded: number | null
  videoUrl: string | null
  posterUrl: string | null
  /** JSON. */
  delivery: string | null
  errorCode: string | null
  errorMessage: string | null
  errorDetails: string | null
  cancelRefusal: string | null
  at: Date
}

export type TaskEvent = { taskId: string; eventId: string; kind: string; at: Date; details: object }

/** All that a batch of events changes, one change a task and one an account; `usage` inserts the usage records. */
export type Projection = {
  changes: TaskChange[]
  history: TaskEvent[]
  balances: BalanceChange[]
  decisions: ChangeDecision[]
  spend: SpendChange[]
  crossings: Crossing[]
  usage: Fragment
}

/**
 * Merges it all in one statement, which costs one round trip; returns the tasks as they are now. The requests of those that end are
 * forgotten. Tasks are locked in id order, so that two replicas that merge the same ones can't deadlock. A task's events are numbered under its
 * lock: whoever has read one has read all before it.
 */
export const mergeProjection = (sql: Sql, { changes, history, balances, decisions, spend, crossings, usage }: Projection) =>
  sql<Task[]>`
    with locked as (select id, phase as was_phase, billing_status as was_billing from task where id = any(${taskIdsOf(changes, history)}) order by id for update),
    recorded as (${insertTaskEvents(sql, history)}),
    ${balances.length > 0 ? sql`balanced as (${mergeBalances(sql, balances)}), low as (${insertBalanceNotices(sql)}),` : sql``}
    ${decisions.length > 0 ? sql`decided as (${decideChanges(sql, decisions)}),` : sql``}
    ${spend.length > 0 ? sql`spent as (${mergeSpend(sql, spend)}),` : sql``}
    ${crossings.length > 0 ? sql`crossed as (${mergeCrossings(sql, crossings)}),` : sql``}
    used as (${usage}),
    merged as (
    update task set
      phase = case when change."phaseRank" > task.phase_rank then change.phase else task.phase end,
      phase_rank = greatest(task.phase_rank, change."phaseRank"),
      binds_key = task.binds_key and not (change."phaseRank" > task.phase_rank and change."freesKey"),
      billing_status = case when change."billingRank" > task.billing_rank then change."billingStatus" else task.billing_status end,
      billing_rank = greatest(task.billing_rank, change."billingRank"),
      counts_until = coalesce(task.counts_until, change."countsUntil"),
      credits_used = coalesce(change."creditsUsed", task.credits_used),
      credits_refunded = coalesce(change."creditsRefunded", task.credits_refunded),
      video_url = coalesce(change."videoUrl", task.video_url),
      poster_url = coalesce(change."posterUrl", task.poster_url),
      delivery = coalesce(change.delivery::jsonb, task.delivery),
      error_code = coalesce(task.error_code, change."errorCode"),
      error_message = coalesce(task.error_message, change."errorMessage"),
      error_details = coalesce(task.error_details, change."errorDetails"::jsonb),
      cancel_refusal = coalesce(change."cancelRefusal", task.cancel_refusal),
      updated_at = greatest(task.updated_at, change.at)
    from ${recordset(
      sql,
      'change',
      {
        id: 'text',
        phase: 'text',
        phaseRank: 'smallint',
        freesKey: 'boolean',
        billingStatus: 'text',
        billingRank: 'smallint',
        countsUntil: 'timestamptz',
        creditsUsed: 'bigint',
        creditsRefunded: 'bigint',
        videoUrl: 'text',
        posterUrl: 'text',
        delivery: 'text',
        errorCode: 'text',
        errorMessage: 'text',
        errorDetails: 'text',
        cancelRefusal: 'text',
        at: 'timestamptz',
      },
      changes,
    )}
    join locked on locked.id = change.id
    where task.id = change.id
    returning task.*, was_phase, was_billing
    ),
    ${changes.some(mayBeNoticed) ? sql`noticed as (${insertTaskNotices(sql)}),` : sql``}
    forgotten as (delete from task_request using merged as task where task_request.task_id = task.id and ${ended(sql)})
    select ${columns(sql)} from merged as task`

const taskIdsOf = (changes: TaskChange[], history: TaskEvent[]): string[] => [
  ...new Set([...changes.map(({ id }) => id), ...history.map(({ taskId }) => taskId)]),
]

/** A projection that ends no task and opens no review, as most that a POST waits for, is spared the look for notices. */
const mayBeNoticed = ({ phaseRank, billingRank }: TaskChange): boolean =>
  phaseRank >= phases.completed || billingRank >= billingStatuses.review

/** In the order of the batch. An event that is sent again of a task that has been deleted leaves no row. */
const insertTaskEvents = (sql: Sql, events: TaskEvent[]): Fragment => sql`
  insert into task_event (task_id, event_id, kind, at, details)
  select "taskId", "eventId", kind, at, details
  from ${recordset(
    sql,
    'event',
    { place: 'int', taskId: 'text', eventId: 'uuid', kind: 'text', at: 'timestamptz', details: 'jsonb' },
    events.map((event, place) => ({ ...event, place })),
  )}
  join locked on locked.id = event."taskId"
  order by event.place
  on conflict do nothing`
