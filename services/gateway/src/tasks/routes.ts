import { ClientGoneError, Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'
import { type AuthenticateDeps, authenticate } from '../keys/authenticate'
import type { FindShownTask } from './find-task'
import { pollSeconds, shownStatus, type Task } from './task'
import { taskIdForm } from './task-id'
import { taskView } from './task-view'
import type { TaskWatch } from './watch'

export type TaskDeps = { findShownTask: FindShownTask; watch: Pick<TaskWatch, 'wait'> }

const waitSecondsMax = 60
/** A replica remembers a key for 3 s: with this the wait ends within 5 s of the key. */
const confirmEveryMs = 1_000

/** `Prefer: wait=N` (RFC 7240): how long the client would have the answer held, at most a minute. */
export function waitMs(prefer: string | null): number {
  const seconds = prefer?.match(/(?:^|[,;\s])wait=(\d{1,9})(?:$|[,;\s])/i)?.[1]
  return seconds === undefined ? 0 : Math.min(Number(seconds), waitSecondsMax) * 1_000
}

/** GET /tasks/{id}: the task as its row is; with `Prefer: wait` the answer is held until it changes. */
export const tasks = (deps: TaskDeps & AuthenticateDeps) =>
  new Elysia({ name: 'tasks', normalize: false })
    .use(authenticate(deps))
    .get('/tasks/:id', async function getTask({ params, caller, leftMs, confirmKey, set, request }) {
      if (!taskIdForm.test(params.id)) throw new Failure<Reason>('invalid_task_id')
      let task = await deps.findShownTask(params.id, caller.accountId, leftMs)
      if (!task) throw new Failure<Reason>('task_not_found')
      const holdMs = waitMs(request.headers.get('prefer'))
      if (holdMs > 0 && shownStatus(task) === 'processing') {
        task = await held(deps, task, { holdMs, confirmKey, signal: request.signal })
        set.headers['preference-applied'] = `wait=${holdMs / 1_000}`
      }
      if (shownStatus(task) === 'processing') set.headers['retry-after'] = pollSeconds
      return taskView(task)
    })

type Holding = { holdMs: number; confirmKey(): Promise<void>; signal: AbortSignal }

/** The task once it has changed or `holdMs` have passed. A key that ends meanwhile ends the wait with a refusal. */
async function held({ watch }: TaskDeps, task: Task, { holdMs, confirmKey, signal }: Holding): Promise<Task> {
  const refused = new AbortController()
  const confirming = setInterval(() => confirmKey().catch(failure => refused.abort(failure)), confirmEveryMs)
  try {
    const changed = await watch.wait(task.id, changedSince(task), holdMs, AbortSignal.any([signal, refused.signal]))
    if (signal.aborted) throw new ClientGoneError()
    refused.signal.throwIfAborted()
    await confirmKey()
    return changed ?? task
  } finally {
    clearInterval(confirming)
  }
}

/** Whether what a client sees is no longer what it saw. */
function changedSince(seen: Task): (task: Task) => boolean {
  const before = JSON.stringify({ ...taskView(seen), updated_at: '' })
  return task => JSON.stringify({ ...taskView(task), updated_at: '' }) !== before
}
