import type { Sql } from '@filmgate/kit/database/postgres'
import { taskIdAt } from '@filmgate/proto/task-id'
import type { BillingStatus, Task } from '../tasks/task'
import { columns, shownStatusOf } from '../tasks/task-repository'

/** The statuses that clients see, and `declined`: refused before the reservation, which clients do not see. */
export const operatorStatuses = ['processing', 'completed', 'failed', 'declined'] as const

export type TaskFilter = {
  account: string | null
  status: (typeof operatorStatuses)[number] | null
  billing: BillingStatus | null
  model: string | null
  since: Date | null
  until: Date | null
  beforeId: string | null
  rowsMax: number
}

/** An id and its task's time are made at almost the same time. */
const idGraceMs = 60_000

/**
 * Of all accounts or of one, newest first. Conditions that aren't asked for are left out, so that an account's own index serves it; times
 * bound the ids as well, so that nothing outside them is walked.
 */
export const listTasks = (sql: Sql, { account, status, billing, model, since, until, beforeId, rowsMax }: TaskFilter) =>
  sql<Task[]>`
    select ${columns(sql)} from task
    where true ${account === null ? sql`` : sql`and account_id = ${account}`} ${beforeId === null ? sql`` : sql`and id < ${beforeId}`}
      ${since === null ? sql`` : sql`and id >= ${taskIdAt(new Date(since.getTime() - idGraceMs))}`}
      ${until === null ? sql`` : sql`and id < ${taskIdAt(new Date(until.getTime() + idGraceMs))}`}
      and (${billing}::text is null or billing_status = ${billing}) and (${model}::text is null or model = ${model})
      and (${since}::timestamptz is null or created_at >= ${since}) and (${until}::timestamptz is null or created_at < ${until})
      and (${status}::text is null or ${status} = case
        when phase = 'declined' then 'declined'
        else ${shownStatusOf(sql, sql`phase`, sql`billing_status`)} end)
    order by id desc limit ${rowsMax}`
