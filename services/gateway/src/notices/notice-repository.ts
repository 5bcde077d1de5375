import type { Fragment, Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type { Task } from '../tasks/task'
import { columns, shownStatusOf } from '../tasks/task-repository'

export type TaskNotice = { kind: 'task_ended' | 'task_in_review'; task: Task }
export type BalanceNotice = { kind: 'balance_low'; available: number; threshold: number }
export type AccountNotice = { kind: 'account_closed' }
export type DueNotice = { id: number; eventId: string; accountId: string; at: Date } & (TaskNotice | BalanceNotice | AccountNotice)

/** Whether a task in these columns is shown as completed or failed. */
export const shownAsEnded = (sql: Sql, phase: Fragment, billing: Fragment): Fragment =>
  sql`${shownStatusOf(sql, phase, billing)} <> 'processing'`

/** Of `merged`, the tasks as they are now with `was_phase` and `was_billing`: what they are newly shown as. */
export const insertTaskNotices = (sql: Sql): Fragment => sql`
  insert into notice (kind, account_id, task_id, at)
  select case when billing_status = 'review' then 'task_in_review' else 'task_ended' end, account_id, id, updated_at
  from merged
  where surface = 'api' and (
    (billing_status = 'review' and was_billing is distinct from 'review')
    or (${shownAsEnded(sql, sql`phase`, sql`billing_status`)} and not (${shownAsEnded(sql, sql`was_phase`, sql`was_billing`)})))`

/** Of `balanced`, the accounts whose balance is newly below their threshold: `fell`. */
export const insertBalanceNotices = (sql: Sql | TransactionSql): Fragment => sql`
  insert into notice (event_id, kind, account_id, at, available, threshold)
  select low_notice, 'balance_low', id, now(), available, low_balance_credits from balanced where fell`

type DueRow = {
  noticeId: number
  eventId: string
  kind: DueNotice['kind']
  noticeAccountId: string
  at: Date
  available: number | null
  threshold: number | null
} & (Task | { id: null })

/**
 * The oldest notices, locked: another replica that publishes waits for its turn, so nothing of a task overtakes what came before. Those
 * whose task has been deleted come as undefined.
 */
export async function lockDueNotices(sql: TransactionSql, rowsMax: number): Promise<{ id: number; notice: DueNotice | undefined }[]> {
  const rows = await sql<DueRow[]>`
    with due as (select * from notice order by id limit ${rowsMax} for update)
    select due.id as "noticeId", due.event_id as "eventId", due.kind, due.account_id as "noticeAccountId", due.at, due.available, due.threshold,
           ${columns(sql)}
    from due left join task on task.id = due.task_id order by due.id`
  return rows.map(row => ({ id: row.noticeId, notice: dueNotice(row) }))
}

function dueNotice({ noticeId, eventId, kind, noticeAccountId, at, available, threshold, ...task }: DueRow): DueNotice | undefined {
  const notice = { id: noticeId, eventId, accountId: noticeAccountId, at }
  if (kind === 'balance_low') return { ...notice, kind, available: available ?? 0, threshold: threshold ?? 0 }
  if (kind === 'account_closed') return { ...notice, kind }
  return task.id === null ? undefined : { ...notice, kind, task }
}

export async function deleteNotices(sql: TransactionSql, ids: number[]): Promise<void> {
  await sql`delete from notice where id = any(${ids}::bigint[])`
}

/** Age of the oldest notice that waits; 0 where none does. */
export async function findOldestNoticeSeconds(sql: Sql): Promise<number> {
  const [row] = await sql<{ seconds: number }[]>`
    select extract(epoch from now() - created_at)::float8 as seconds from notice order by id limit 1`
  return row?.seconds ?? 0
}
