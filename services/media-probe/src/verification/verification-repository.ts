import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import { statesBefore, type VerificationState } from './states'

/** Inserts new tasks and returns their ids; known tasks don't change. */
export async function insertVerifications(sql: TransactionSql, tasks: { taskId: string; accountId: string }[]): Promise<Set<string>> {
  const rows = await sql<{ taskId: string }[]>`
    insert into verification (task_id, account_id)
    select * from ${recordset(sql, 'task', { taskId: 'text', accountId: 'text' }, tasks)}
    on conflict (task_id) do nothing
    returning task_id as "taskId"`
  return new Set(rows.map(row => row.taskId))
}

/** Changes a task's state; returns false if its state doesn't permit it. */
export async function transitionVerification(
  sql: TransactionSql,
  taskId: string,
  to: VerificationState,
  objectKeys: string[] = [],
): Promise<boolean> {
  const rows = await sql`
    update verification set state = ${to}, object_keys = ${objectKeys}, changed_at = now()
    where task_id = ${taskId} and state = any(${statesBefore(to)})
    returning task_id`
  return rows.length === 1
}

export type VerificationRow = {
  taskId: string
  accountId: string
  state: VerificationState
  objectKeys: string[]
  createdAt: Date
  changedAt: Date
}

export async function findVerification(sql: Sql, taskId: string): Promise<VerificationRow | undefined> {
  const [row] = await sql<VerificationRow[]>`
    select task_id as "taskId", account_id as "accountId", state, object_keys as "objectKeys", created_at as "createdAt", changed_at as "changedAt"
    from verification where task_id = ${taskId}`
  return row
}

/** Those of these tasks whose copies were published. */
export async function findVerified(sql: TransactionSql, taskIds: string[]): Promise<Set<string>> {
  const rows = await sql<{ taskId: string }[]>`
    select task_id as "taskId" from verification where task_id = any(${taskIds}) and state = 'verified'`
  return new Set(rows.map(row => row.taskId))
}

/** Those of these objects that a verified task uses or a waiting task may still publish. */
export async function findHeldKeys(sql: Sql, objects: { key: string; taskId: string }[]): Promise<Set<string>> {
  const rows = await sql<{ key: string }[]>`
    select object.key from ${recordset(sql, 'object', { key: 'text', taskId: 'text' }, objects)}
    join verification on verification.task_id = object."taskId"
    where verification.state = 'waiting' or (verification.state = 'verified' and object.key = any(verification.object_keys))`
  return new Set(rows.map(row => row.key))
}

/** Rows are kept longer than Kafka keeps their events. */
export async function deleteExpiredVerifications(sql: Sql, keptDays: number): Promise<number> {
  const rows = await sql`
    delete from verification where state = 'deleted' and changed_at < now() - ${keptDays} * interval '1 day' returning task_id`
  return rows.length
}

/** Undecided tasks, in work or waiting; the autoscaler's metric. */
export async function countOpen(sql: Sql): Promise<number> {
  const [row] = await sql<{ open: number }[]>`select count(*) as open from job where kind = 'verify'`
  return row?.open ?? 0
}
