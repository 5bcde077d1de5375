import type { Sql, TransactionSql } from '@filmgate/kit/postgres'
import type { Task } from './task'

const columns = (sql: Sql | TransactionSql) => sql`
  task.id, task.account_id as "accountId", task.key_id as "keyId", task.fingerprint, task.model, task.mode, task.phase,
  task.billing_status as "billingStatus", task.credits_used as "creditsUsed", task.credits_refunded as "creditsRefunded",
  task.video_url as "videoUrl", task.error_code as "errorCode", task.error_message as "errorMessage", task.error_details as "errorDetails",
  task.created_at as "createdAt", task.updated_at as "updatedAt", task.admit_by as "admitBy"`

export type NewTask = {
  id: string
  accountId: string
  keyId: string
  idempotencyKey: string
  fingerprint: Buffer
  model: string
  mode: string
  resolution: string
  billedSeconds: number
  priceVersion: string
  createdAt: Date
  admitBy: Date
}

/** Inserts those whose (key, Idempotency-Key) is free; returns the ids that were. */
export async function insertTasks(sql: TransactionSql, tasks: NewTask[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    insert into task (id, account_id, key_id, surface, idempotency_key, fingerprint, model, mode, resolution, billed_seconds, price_version,
                      created_at, updated_at, admit_by)
    select id, account_id, key_id, 'api', idempotency_key, decode(fingerprint, 'hex'), model, mode, resolution, billed_seconds, price_version,
           created_at, created_at, admit_by
    from unnest(${tasks.map(task => task.id)}::text[], ${tasks.map(task => task.accountId)}::text[], ${tasks.map(task => task.keyId)}::text[],
                ${tasks.map(task => task.idempotencyKey)}::text[], ${tasks.map(task => task.fingerprint.toString('hex'))}::text[],
                ${tasks.map(task => task.model)}::text[], ${tasks.map(task => task.mode)}::text[], ${tasks.map(task => task.resolution)}::text[],
                ${tasks.map(task => task.billedSeconds)}::int[], ${tasks.map(task => task.priceVersion)}::text[],
                ${tasks.map(task => task.createdAt.toISOString())}::timestamptz[], ${tasks.map(task => task.admitBy.toISOString())}::timestamptz[])
      as row (id, account_id, key_id, idempotency_key, fingerprint, model, mode, resolution, billed_seconds, price_version, created_at, admit_by)
    on conflict (key_id, idempotency_key) where binds_key do nothing
    returning id`
  return new Set(rows.map(row => row.id))
}

export type IdempotencyScope = { keyId: string; idempotencyKey: string }

/** The tasks these keys are bound to, each with its scope. */
export const findBound = (sql: Sql | TransactionSql, scopes: IdempotencyScope[]) =>
  sql<(Task & { idempotencyKey: string })[]>`
    select ${columns(sql)}, idempotency_key as "idempotencyKey" from task
    where binds_key and (key_id, idempotency_key) in (
      select * from unnest(${scopes.map(scope => scope.keyId)}::text[], ${scopes.map(scope => scope.idempotencyKey)}::text[]))`

export const findTasks = (sql: Sql, ids: string[]) => sql<Task[]>`select ${columns(sql)} from task where id = any(${ids})`

/** Tasks a client may see: of the API's surface, from the reservation on. */
export const findShownTasks = (sql: Sql, ids: string[]) =>
  sql<Task[]>`select ${columns(sql)} from task where id = any(${ids}) and surface = 'api' and billing_status is not null`

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

/** Locks tasks in id order, so that two replicas that merge the same ones can't deadlock. */
export async function lockTasks(sql: TransactionSql, ids: string[]): Promise<void> {
  await sql`select id from task where id = any(${ids}) order by id for update`
}

/** Merges changes, one a task, into the rows; returns the rows as they are now. */
export const mergeChanges = (sql: TransactionSql, changes: TaskChange[]) =>
  sql<Task[]>`
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
    where task.id = change.change_id
    returning ${columns(sql)}`

export type TaskEvent = { taskId: string; eventId: string; kind: string; at: Date; details: object }

export async function insertTaskEvents(sql: TransactionSql, events: TaskEvent[]): Promise<void> {
  await sql`
    insert into task_event (task_id, event_id, kind, at, details)
    select task_id, event_id, kind, at, details::jsonb
    from unnest(${events.map(event => event.taskId)}::text[], ${events.map(event => event.eventId)}::uuid[], ${events.map(event => event.kind)}::text[],
                ${events.map(event => event.at.toISOString())}::timestamptz[], ${events.map(event => JSON.stringify(event.details))}::text[])
      as row (task_id, event_id, kind, at, details)
    on conflict do nothing`
}

export const listTaskEvents = (sql: Sql, taskId: string) =>
  sql<
    { kind: string; at: Date; details: object }[]
  >`select kind, at, details from task_event where task_id = ${taskId} order by at, event_id`

/** Tasks whose outcome is being checked, oldest first. */
export const listReviews = (sql: Sql, rowsMax: number) =>
  sql<Task[]>`select ${columns(sql)} from task where billing_status = 'review' order by id limit ${rowsMax}`

/** Deletes ended tasks older than `days`, at most `rowsMax`, with their events; returns how many. */
export async function deleteOldTasks(sql: Sql, days: number, rowsMax: number): Promise<number> {
  const rows = await sql`
    with old as (
      select id from task where created_at < now() - ${days} * interval '1 day' and phase_rank = 4 order by created_at limit ${rowsMax}
    ), events as (delete from task_event where task_id in (select id from old))
    delete from task where id in (select id from old) returning id`
  return rows.length
}
