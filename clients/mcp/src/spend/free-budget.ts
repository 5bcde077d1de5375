import type { Filmgate } from '@filmgate/client'
import type { Budget } from './budget.ts'

/** A POST is admitted or refused within 250 s; after this none of it is under way. */
const unknownMsMax = 600_000
const tasksRead = 100

/** Reads what may have given credits back: tasks that failed since, and requests whose answer was lost. */
export async function freeBudget(filmgate: Pick<Filmgate, 'tasks'>, budget: Budget): Promise<void> {
  const open = budget.open()
  if (open.some(({ taskId }) => taskId !== undefined)) {
    const { data } = await filmgate.tasks.list({ limit: tasksRead }).page()
    for (const task of data) budget.saw(task)
  }
  for (const { key, heldMs } of open.filter(({ taskId }) => taskId === undefined)) {
    const task = await filmgate.tasks.find(key)
    if (task) budget.settle(key, task)
    else if (heldMs > unknownMsMax) budget.release(key)
  }
}
