import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import type { TaskEnded } from '../mail-choices/choice-repository'

export type AwaitedTask = { taskId: string; accountId: string; personId: string }

/** Waits for the task's end where its person has chosen to be told. */
export const insertAwaited = (sql: TransactionSql, { taskId, accountId, personId }: AwaitedTask) => sql`
  insert into awaited_task (task_id, account_id, person_id)
  select ${taskId}, account_id, person_id from mail_choice
  where account_id = ${accountId} and person_id = ${personId} and task_ended <> 'never'
  on conflict (task_id) do nothing`

/** Tasks to ask for now. Each is asked for again after a tenth of its age, from 2 s to 10 min. */
export const claimAwaited = (sql: Sql, limit: number) =>
  sql<AwaitedTask[]>`
    update awaited_task set next_ask_at = now() + least(greatest((now() - made_at) / 10, interval '2 seconds'), interval '10 minutes')
    where task_id in (
      select task_id from awaited_task where ended_at is null and next_ask_at <= now()
      order by next_ask_at limit ${limit} for update skip locked)
    returning task_id as "taskId", account_id as "accountId", person_id as "personId"`

export type EndedTask = { taskId: string; endedAt: Date }
export type ToTell = { taskId: string; accountId: string; personId: string; email: string; name: string; taskEnded: TaskEnded }

/** Of these tasks those that were not known to have ended, whose person still is a member and wants to be told. */
export const endAwaited = (sql: TransactionSql, ended: EndedTask[]) =>
  sql<ToTell[]>`
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

export const deleteAwaitedBefore = (sql: Sql, before: Date) => sql`delete from awaited_task where made_at < ${before}`
