import { createBatch } from '@filmgate/kit/batch'
import { withDeadline } from '@filmgate/kit/deadline'
import type { Sql } from '@filmgate/kit/postgres'
import type { Task } from './task'
import { findShownTasks } from './task-repository'

const lookUpTimeoutMs = 3_000

export type FindShownTask = (id: string, accountId: string) => Promise<Task | undefined>

/** A task as its own account may see it; reads of one moment share a statement. */
export function createFindShownTask(sql: Sql): FindShownTask {
  const load = createBatch<string, Task | undefined>(async ids => {
    const found = await withDeadline(findShownTasks(sql, [...new Set(ids)]), lookUpTimeoutMs, 'the database')
    const byId = new Map(found.map(task => [task.id, task]))
    return ids.map(id => byId.get(id))
  })
  return async (id, accountId) => {
    const task = await load(id)
    return task?.accountId === accountId ? task : undefined
  }
}
