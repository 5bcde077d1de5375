import type { Sql } from '@filmgate/kit/database/postgres'
import type { Tag } from '../tags/tag-parameter'
import type { Task } from './task'
import { columns, type IdempotencyScope, shownStatusOf } from './task-repository'

export type ShownStatus = 'processing' | 'completed' | 'failed'

export type ListFilter = {
  accountId: string
  status: ShownStatus | null
  tag: Tag | null
  /** The one task that this is bound to. */
  bound: IdempotencyScope | null
  beforeId: string | null
  rowsMax: number
}

/**
 * Tasks of an account that its client may see, newest first, from before `beforeId`. `status` is as shownStatus shows it; failed tasks have an
 * index.
 */
export const listShownTasks = (sql: Sql, { accountId, status, tag, bound, beforeId, rowsMax }: ListFilter) =>
  sql<Task[]>`
    select ${columns(sql)}
    from task
    where account_id = ${accountId} and surface = 'api' and billing_status is not null and deleted_at is null
      ${tag === null ? sql`` : sql`and tags is not null and tags ->> ${tag.name}::text = ${tag.value}`}
      ${bound === null ? sql`` : sql`and binds_key and key_id = ${bound.keyId} and idempotency_key = ${bound.idempotencyKey}`}
      ${status === 'failed' ? sql`and phase in ('failed', 'refused')` : sql``}
      and (${beforeId}::text is null or id < ${beforeId})
      and (${status}::text is null or ${status} = ${shownStatusOf(sql, sql`phase`, sql`billing_status`)})
    order by id desc
    limit ${rowsMax}`
