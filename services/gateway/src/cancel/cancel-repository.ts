import type { TransactionSql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'

export type CancelledTask = { id: string; accountId: string; model: string }

/** After so long without an answer a request is sent again. */
const answerMsMax = 60_000
/** A refusal answers all that ask within this: a provider is not asked once a request. */
const refusalMs = 10_000

/** Of these tasks, those that hold credits and of which no cancel waits for its answer. */
export const markCancelRequested = (sql: TransactionSql, ids: string[]) =>
  sql<CancelledTask[]>`
    with locked as (select id from task where id = any(${ids}::text[]) order by id for update)
    update task set cancel_requested_at = now(), cancel_refusal = null
    from locked
    where task.id = locked.id and phase_rank < 4 and billing_status in ('reserved', 'review')
      and (cancel_requested_at is null
           or cancel_requested_at < now() - case when cancel_refusal is null then ${answerMsMax}::int else ${refusalMs}::int end * interval '1 millisecond')
    returning task.id, account_id as "accountId", model`

export const insertCancelEvents = (sql: TransactionSql, events: { taskId: string; eventId: string }[], by: string) => sql`
  insert into task_event (task_id, event_id, kind, at, details)
  select "taskId", "eventId", 'cancelRequested', now(), ${sql.json({ by })}
  from ${recordset(sql, 'event', { taskId: 'text', eventId: 'uuid' }, events)}`

/** Forgets the deadlines that have come, and returns their tasks. One whose credits are not reserved yet waits for that. */
export const takeDueCancels = (sql: TransactionSql, rowsMax: number) =>
  sql<{ id: string }[]>`
    with due as (
      select id from task where cancel_at <= now() and (phase_rank = 4 or billing_status is not null)
      order by cancel_at limit ${rowsMax} for update skip locked
    )
    update task set cancel_at = null from due where task.id = due.id returning task.id`
