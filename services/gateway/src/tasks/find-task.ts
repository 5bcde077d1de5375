import type { Sql } from '@filmgate/kit/database/postgres'
import { createBatchedRead } from '../database/batched-read'
import type { Task } from './task'
import { findShownTasks } from './task-repository'

export type FindShownTask = (id: string, accountId: string, leftMs: number) => Promise<Task | undefined>

/** A task as its own account may see it; reads of one moment share a statement. */
export function createFindShownTask(sql: Sql): FindShownTask {
  const load = createBatchedRead<string, Task | undefined>(async ids => {
    const found = await findShownTasks(sql, [...new Set(ids)])
    const byId = new Map(found.map(task => [task.id, task]))
    return ids.map(id => byId.get(id))
  })
  return async (id, accountId, leftMs) => {
    const task = await load(id, leftMs)
    return task?.accountId === accountId ? task : undefined
  }
}
