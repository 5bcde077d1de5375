import type { Sql } from '@filmgate/kit/database/postgres'
import type { Delivery, Task } from '../tasks/task'
import { columns } from '../tasks/task-repository'

/** A task with what OpenAI's clients see beside it. `aspectRatio`: as it was asked for through this API, else null. */
export type VideoTask = Task & {
  prompt: string | null
  posterUrl: string | null
  resolution: string
  aspectRatio: string | null
  billedSeconds: number
  delivery: Delivery | null
}

const videoColumns = (sql: Sql) => sql`
  ${columns(sql)}, task.prompt, case when task.deleted_at is null then task.poster_url end as "posterUrl", task.resolution, task.request->>'aspect_ratio' as "aspectRatio",
  task.billed_seconds as "billedSeconds", task.delivery`

const shown = (sql: Sql, accountId: string) =>
  sql`task.account_id = ${accountId} and task.surface = 'api' and task.billing_status is not null`

/** `evenDeleted`: as the answer to its own Idempotency-Key. */
export async function findVideo(
  sql: Sql,
  { id, accountId, evenDeleted = false }: { id: string; accountId: string; evenDeleted?: boolean },
): Promise<VideoTask | undefined> {
  const [task] = await sql<VideoTask[]>`
    select ${videoColumns(sql)} from task where id = ${id} and ${shown(sql, accountId)} and (${evenDeleted} or task.deleted_at is null)`
  return task
}

export type VideoFilter = { accountId: string; after: string | null; order: 'asc' | 'desc'; rowsMax: number }

export const listVideos = (sql: Sql, { accountId, after, order, rowsMax }: VideoFilter) =>
  sql<VideoTask[]>`
    select ${videoColumns(sql)} from task where ${shown(sql, accountId)} and task.deleted_at is null
    ${after === null ? sql`` : order === 'desc' ? sql`and id < ${after}` : sql`and id > ${after}`}
    order by id ${order === 'desc' ? sql`desc` : sql`asc`} limit ${rowsMax}`

/** From now on no read finds it; its Idempotency-Key still does. */
export const markDeleted = (sql: Sql, { id, accountId }: { id: string; accountId: string }) =>
  sql`update task set deleted_at = now(), updated_at = now() where id = ${id} and account_id = ${accountId} and deleted_at is null`
