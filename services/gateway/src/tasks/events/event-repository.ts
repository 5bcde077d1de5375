import type { Sql } from '@filmgate/kit/database/postgres'
import type { TaskEventRow } from './task-events'

/** The events of these tasks, each task's in the order in which they were merged. */
export const listEventsOf = (sql: Sql, taskIds: string[]) =>
  sql<(TaskEventRow & { taskId: string })[]>`
    select task_id as "taskId", at, details from task_event where task_id = any(${taskIds})
    order by task_id, seq nulls first, at, event_id`
