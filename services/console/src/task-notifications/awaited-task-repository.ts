import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import type { TaskEmailOption } from '../email-preferences/preference-repository'

export type AwaitedTask = { taskId: string; accountId: string; personId: string }

/** Records that the person wants a mail when the task ends, if they have chosen such mails. */
export const insertAwaitedTask = (sql: TransactionSql, { taskId, accountId, personId }: AwaitedTask) => sql`
  insert into awaited_task (task_id, account_id, person_id)
  select ${taskId}, account_id, person_id from mail_choice
  where account_id = ${accountId} and person_id = ${personId} and task_ended <> 'never'
  on conflict (task_id) do nothing`

/** Claims tasks to check now. The next check follows after a tenth of the task's age, between 2 s and 10 min. */
export const claimAwaitedTasks = (sql: Sql, limit: number) =>
  sql<AwaitedTask[]>`
    update awaited_task set next_ask_at = now() + least(greatest((now() - made_at) / 10, interval '2 seconds'), interval '10 minutes')
    where task_id in (
      select task_id from awaited_task where ended_at is null and next_ask_at <= now()
      order by next_ask_at limit ${limit} for update skip locked)
    returning task_id as "taskId", account_id as "accountId", person_id as "personId"`

export type EndedTask = { taskId: string; endedAt: Date }
export type TaskNotification = {
  taskId: string
  accountId: string
  personId: string
  email: string
  name: string
  taskEnded: TaskEmailOption
}

/**
 * Marks tasks as ended. Returns those that were not ended before and whose person is still a member and wants mails.
 */
export const endAwaitedTasks = (sql: TransactionSql, ended: EndedTask[]) =>
  sql<TaskNotification[]>`
    with known as (
      update awaited_task set ended_at = ended."endedAt"
      from ${recordset(sql, 'ended', { taskId: 'text', endedAt: 'timestamptz' }, ended)}
      where awaited_task.task_id = ended."taskId" and awaited_task.ended_at is null
      returning awaited_task.task_id, awaited_task.account_id, awaited_task.person_id)
    select known.task_id as "taskId", known.account_id as "accountId", known.person_id as "personId", person.email, person.name,
           choice.task_ended as "taskEnded"
    from known join mail_choice as choice using (account_id, person_id) join person on person.id = known.person_id
    join account on account.id = known.account_id
    where choice.task_ended <> 'never' and person.email_verified and account.closed_at is null`

export const deleteAwaitedTasksBefore = (sql: Sql, before: Date) => sql`delete from awaited_task where made_at < ${before}`
