import type { Sql } from '@filmgate/kit/database/postgres'
import { createBatchedRead } from '../../database/batched-read'
import { listEventsOf } from './event-repository'
import type { ReadEvents } from './follow-events'
import { type TaskEvent, taskEvents } from './task-events'

/** The events of a task; reads of one moment share a statement. */
export function createReadEvents(sql: Sql): ReadEvents {
  return createBatchedRead<string, TaskEvent[]>(async ids => {
    const byTask = Map.groupBy(await listEventsOf(sql, [...new Set(ids)]), ({ taskId }) => taskId)
    const events = new Map([...byTask].map(([taskId, rows]) => [taskId, taskEvents(rows)]))
    return ids.map(id => events.get(id) ?? [])
  })
}
