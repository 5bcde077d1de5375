import type { Sql } from '@filmgate/kit/database/postgres'
import { taskIdAt, taskIdTimeMs } from '@filmgate/proto/task-id'
import type { Tag } from '../tags/tag-parameter'
import type { Delivery, Surface, Task } from '../tasks/task'
import { columns } from '../tasks/task-repository'

/** A task as its account's people see it in the console. */
export type ConsoleTask = Task & {
  prompt: string | null
  posterUrl: string | null
  resolution: string
  billedSeconds: number
  /** Null where the output was not measured. */
  delivery: Delivery | null
}

export const consoleColumns = (sql: Sql) =>
  sql`${columns(sql)}, task.prompt, case when task.deleted_at is null then task.poster_url end as "posterUrl", task.resolution, task.billed_seconds as "billedSeconds", task.delivery`

export type ConsoleFilter = {
  accountId: string
  status: 'processing' | 'completed' | 'failed' | null
  surface: Surface | null
  tag: Tag | null
  /** Created from then on. */
  from: Date | null
  /** Created before that. */
  to: Date | null
  search: Search
  beforeId: string | null
  rowsMax: number
  now: Date
}

/** What no index finds. `text`: a task's id, or words that its prompt has, in any case and order. */
export type Search = { text: string | null; model: string | null; keyId: string | null }

/** So many tasks are searched for a page, so that a page costs the same however many tasks an account has. */
export const searchedTasksMax = 10_000

/** Between the verdict and its booking a task that has ended is shown as processing, for moments; a day is more than any of them takes. */
const bookingMsMax = 86_400_000

/**
 * An account's tasks of both surfaces, newest first. Each status names what its partial index has, so that few tasks among many are found
 * without walking all of them. A search looks through the newest `searchedTasksMax` of them.
 */
export const listConsoleTasks = (sql: Sql, filter: ConsoleFilter) => {
  const { status, search, rowsMax, now } = filter
  const matches = matchesSearch(sql, search)
  if (status !== 'processing' && isSearch(search))
    return sql<ConsoleTask[]>`
      select ${consoleColumns(sql)} from (select * from task where ${endedWithin(sql, filter)} order by id desc limit ${searchedTasksMax}) as task
      where true ${matches} order by id desc limit ${rowsMax}`
  if (status !== 'processing')
    return sql<ConsoleTask[]>`
      select ${consoleColumns(sql)} from task where ${endedWithin(sql, filter)} order by id desc limit ${rowsMax}`
  const since = taskIdAt(new Date(now.getTime() - bookingMsMax))
  const within = isWithin(sql, filter)
  return sql<ConsoleTask[]>`
    with processing as (
      (select id from task where ${within} ${matches} and phase_rank < 4 order by id desc limit ${rowsMax})
      union all
      (select id from task
       where ${within} ${matches} and phase_rank = 4 and id >= ${since}
         and not (phase = 'completed' and billing_status = 'settled') and not (phase in ('failed', 'refused') and billing_status in ('refund_pending', 'refunded'))
       order by id desc limit ${rowsMax})
    )
    select ${consoleColumns(sql)} from task where id in (select id from processing) order by id desc limit ${rowsMax}`
}

/** The last task that a search looks at; undefined where it looks at all. */
export async function findSearchEnd(sql: Sql, filter: ConsoleFilter): Promise<string | undefined> {
  if (filter.status === 'processing' || !isSearch(filter.search)) return undefined
  const [last, next] = await sql<{ id: string }[]>`
    select id from task where ${endedWithin(sql, filter)} order by id desc limit 2 offset ${searchedTasksMax - 1}`
  return next && last?.id
}

const isSearch = ({ text, model, keyId }: Search): boolean => text !== null || model !== null || keyId !== null

const isWithin = (sql: Sql, { accountId, surface, tag, from, to, search: { text }, beforeId }: ConsoleFilter) => sql`
  account_id = ${accountId} and billing_status is not null
  ${tag === null ? sql`` : sql`and tags is not null and tags ->> ${tag.name}::text = ${tag.value}`}
  ${beforeId === null ? sql`` : sql`and id < ${beforeId}`}
  ${from === null ? sql`` : sql`and id >= ${taskIdAt(from)}`} ${to === null ? sql`` : sql`and id < ${taskIdAt(to)}`}
  ${text !== null && isTaskId(text) ? sql`and id = ${text}` : sql``}
  ${surface === 'web' ? sql`and surface = 'web'` : surface === 'api' ? sql`and surface = 'api'` : sql``}`

function endedWithin(sql: Sql, filter: ConsoleFilter) {
  const within = isWithin(sql, filter)
  if (filter.status === 'completed') return sql`${within} and phase = 'completed' and billing_status = 'settled'`
  if (filter.status === 'failed')
    return sql`${within} and phase in ('failed', 'refused') and billing_status in ('refund_pending', 'refunded')`
  return within
}

function matchesSearch(sql: Sql, { text, model, keyId }: Search) {
  const words = text === null || isTaskId(text) ? [] : text.split(/\s+/).filter(word => word !== '')
  return sql`
    ${model === null ? sql`` : sql`and model = ${model}`} ${keyId === null ? sql`` : sql`and key_id = ${keyId}`}
    ${words.reduce((all, word) => sql`${all} and prompt ilike ${`%${word.replaceAll(/[\\%_]/g, '\\$&')}%`}`, sql``)}`
}

const isTaskId = (text: string): boolean => taskIdTimeMs(text) !== undefined

export async function findConsoleTask(
  sql: Sql,
  { accountId, taskId }: { accountId: string; taskId: string },
): Promise<ConsoleTask | undefined> {
  const [task] = await sql<ConsoleTask[]>`
    select ${consoleColumns(sql)} from task where id = ${taskId} and account_id = ${accountId} and billing_status is not null`
  return task
}

/**
 * Tasks that hold a place among those that an account may have unfinished, as far as the gateway has heard. A review holds one only as long
 * as its generation may run, as the ledger decides.
 */
export async function countUnfinished(sql: Sql, accountId: string, now: Date): Promise<number> {
  const [row] = await sql<{ tasks: number }[]>`
    select count(*) as tasks from task
    where account_id = ${accountId} and phase_rank < 4 and billing_rank between 1 and 3 and coalesce(counts_until > ${now}, true)`
  return row?.tasks ?? 0
}

export type StoryEvent = { kind: string; at: Date; details: Record<string, unknown> }

/** All that was heard of a task, in the order in which it happened. */
export const listStoryEvents = (sql: Sql, { accountId, taskId }: { accountId: string; taskId: string }) =>
  sql<StoryEvent[]>`
    select event.kind, event.at, event.details from task_event as event join task on task.id = event.task_id
    where task.id = ${taskId} and task.account_id = ${accountId} order by event.at, event.event_id`

export type StoryRecord = { kind: 'reservation' | 'refund'; at: Date; credits: number; starter: number }

/** What a task took of its account's credits, and what it gave back. */
export const listStoryRecords = (sql: Sql, { accountId, taskId }: { accountId: string; taskId: string }) =>
  sql<StoryRecord[]>`
    select kind, at, credits, starter from usage_entry
    where task_id = ${taskId} and account_id = ${accountId} and model is not null order by at, balance_version`

/** The fields of a task’s request that have no column; null where they are not kept. */
export async function findRequestFields(
  sql: Sql,
  { accountId, taskId }: { accountId: string; taskId: string },
): Promise<Record<string, unknown> | null> {
  const [row] = await sql<{ request: Record<string, unknown> | null }[]>`
    select request from task where id = ${taskId} and account_id = ${accountId}`
  return row?.request ?? null
}
