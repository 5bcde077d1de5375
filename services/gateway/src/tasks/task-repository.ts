import type { Fragment, Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import type { PriceLine } from '../catalog/compile-price'
import type { Tags } from '../tags/read-tags'
import type { Delivery, Surface, Task } from './task'

/** A task's columns, for a select. */
export const columns = (sql: Sql | TransactionSql) => sql`
  task.id, task.account_id as "accountId", task.key_id as "keyId", task.surface, task.fingerprint, task.model, task.mode, task.phase,
  task.billing_status as "billingStatus", task.credits_used as "creditsUsed", task.credits_refunded as "creditsRefunded",
  case when task.deleted_at is null then task.video_url end as "videoUrl", task.error_code as "errorCode", task.error_message as "errorMessage", task.error_details as "errorDetails", task.cancel_refusal as "cancelRefusal",
  task.created_at as "createdAt", task.updated_at as "updatedAt", task.admit_by as "admitBy", task.tags`

/** What a task in these columns is shown as: `shownStatus`, in SQL. */
export const shownStatusOf = (sql: Sql | TransactionSql, phase: Fragment, billing: Fragment): Fragment => sql`
  case when ${phase} = 'completed' and ${billing} = 'settled' then 'completed'
       when ${phase} in ('failed', 'refused') and ${billing} in ('refund_pending', 'refunded') then 'failed'
       else 'processing' end`

export type NewTask = {
  id: string
  accountId: string
  keyId: string
  surface: Surface
  idempotencyKey: string
  fingerprint: Buffer
  prompt: string
  model: string
  mode: string
  resolution: string
  billedSeconds: number
  /** The request’s other fields, of the console’s tasks. Those of the API may have media URLs that are secrets. */
  request: object | null
  breakdown: PriceLine[]
  priceVersion: string
  tags: Tags | null
  /** When its client wants it cancelled. */
  cancelAt?: Date
  createdAt: Date
  admitBy: Date
  /** The id of the event that the request is sent as. */
  eventId: string
}

/**
 * Inserts the tasks whose (key, Idempotency-Key) is free and their events, and keeps those events so that they can be published again after
 * `replayAfterMs`; returns the ids of the tasks inserted.
 */
export async function insertTasks(sql: Sql, tasks: NewTask[], events: Fragment, replayAfterMs: number): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    with asked as materialized (select * from ${taskRows(sql, tasks)}),
    fresh as (
      insert into task (id, account_id, key_id, surface, idempotency_key, fingerprint, prompt, model, mode, resolution, billed_seconds, request, breakdown, price_version,
                        tags, cancel_at, created_at, updated_at, admit_by)
      select id, "accountId", "keyId", surface, "idempotencyKey", decode(fingerprint, 'hex'), prompt, model, mode, resolution, "billedSeconds", request, breakdown,
             "priceVersion", tags, "cancelAt", "createdAt", "createdAt", "admitBy"
      from asked
      on conflict (key_id, idempotency_key) where binds_key do nothing
      returning id
    ), sent as (${events} where event.subject in (select id from fresh) returning outbox.id, outbox.value), kept as (
      insert into task_request (task_id, event, retell_at)
      select asked.id, sent.value, asked."createdAt" + ${replayAfterMs} * interval '1 millisecond' from sent join asked on asked."eventId" = sent.id
    )
    select id from fresh`
  return new Set(rows.map(row => row.id))
}

const taskRows = (sql: Sql, tasks: NewTask[]): Fragment =>
  recordset(
    sql,
    'row',
    {
      id: 'text',
      accountId: 'text',
      keyId: 'text',
      surface: 'text',
      idempotencyKey: 'text',
      fingerprint: 'text',
      prompt: 'text',
      model: 'text',
      mode: 'text',
      resolution: 'text',
      billedSeconds: 'int',
      request: 'jsonb',
      breakdown: 'jsonb',
      priceVersion: 'text',
      tags: 'jsonb',
      cancelAt: 'timestamptz',
      createdAt: 'timestamptz',
      admitBy: 'timestamptz',
      eventId: 'uuid',
    },
    tasks.map(task => ({ ...task, fingerprint: task.fingerprint.toString('hex') })),
  )

export type IdempotencyScope = { keyId: string; idempotencyKey: string }

/** The tasks these keys are bound to, each with its scope. */
export const findBound = (sql: Sql, scopes: IdempotencyScope[]) =>
  sql<(Task & { idempotencyKey: string })[]>`
    select ${columns(sql)}, idempotency_key as "idempotencyKey" from task
    where binds_key and (key_id, idempotency_key) in (
      select * from ${recordset(sql, 'scope', { keyId: 'text', idempotencyKey: 'text' }, scopes)})`

export const findTasks = (sql: Sql | TransactionSql, ids: string[]) => sql<Task[]>`select ${columns(sql)} from task where id = any(${ids})`

/** What was delivered of a task; null where that was not measured. */
export async function findDelivery(sql: Sql, id: string): Promise<Delivery | null> {
  const [row] = await sql<{ delivery: Delivery | null }[]>`select delivery from task where id = ${id}`
  return row?.delivery ?? null
}

/** Tasks a client may see: of the API's surface, from the reservation on. */
export const findShownTasks = (sql: Sql, ids: string[]) =>
  sql<
    Task[]
  >`select ${columns(sql)} from task where id = any(${ids}) and surface = 'api' and billing_status is not null and deleted_at is null`

export type TaskEventRow = { kind: string; at: Date; details: Record<string, unknown> }

export const listTaskEvents = (sql: Sql, taskId: string) =>
  sql<TaskEventRow[]>`select kind, at, details from task_event where task_id = ${taskId} order by at, event_id`

/** Tasks in review, oldest first. None of them has ended: the index of unended tasks finds them among all that are kept. */
export const listReviews = (sql: Sql, rowsMax: number) =>
  sql<Task[]>`
    with held as materialized (select id from task where phase_rank < 4 and billing_status = 'review')
    select ${columns(sql)} from task where id in (select id from held) order by id limit ${rowsMax}`

/**
 * Deletes tasks that were declined before any credits were reserved and are older than `keptMs`, at most `rowsMax`, with their events;
 * returns how many. Rows that another replica holds are left to it.
 */
export async function deleteDeclinedTasks(sql: Sql, keptMs: number, rowsMax: number): Promise<number> {
  const rows = await sql`
    with old as (
      select id from task
      where phase = 'declined' and billing_status is null and created_at < now() - ${keptMs} * interval '1 millisecond'
      order by created_at limit ${rowsMax} for update skip locked
    ), events as (delete from task_event where task_id in (select id from old))
    delete from task where id in (select id from old) returning id`
  return rows.length
}

/** Deletes ended tasks older than `days`, at most `rowsMax`, with their events; returns how many. */
export async function deleteOldTasks(sql: Sql, days: number, rowsMax: number): Promise<number> {
  const rows = await sql`
    with old as (
      select id from task where created_at < now() - ${days} * interval '1 day' and phase_rank = 4 order by created_at limit ${rowsMax}
    ), events as (delete from task_event where task_id in (select id from old))
    delete from task where id in (select id from old) returning id`
  return rows.length
}

export const listClosedAccounts = (sql: Sql, withinDays: number) =>
  sql<{ id: string }[]>`select id from account where closed_at > now() - ${withinDays} * interval '1 day'`

/** Takes the prompts and requests of an account's tasks behind `after`, at most `rowsMax`; returns how many tasks it looked at, and the last of them. */
export async function forgetPrompts(
  sql: Sql,
  { accountId, after, rowsMax }: { accountId: string; after: string; rowsMax: number },
): Promise<{ rows: number; last: string }> {
  const [looked] = await sql<{ rows: number; last: string | null }[]>`
    with portion as (select id from task where account_id = ${accountId} and id > ${after} order by id limit ${rowsMax}),
    forgotten as (update task set prompt = null, request = null where id in (select id from portion) and (prompt is not null or request is not null))
    select count(*) as rows, max(id) as last from portion`
  return { rows: looked?.rows ?? 0, last: looked?.last ?? after }
}
