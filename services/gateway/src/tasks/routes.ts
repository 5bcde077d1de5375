import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'
import { type AuthenticateDeps, authenticate } from '../keys/authenticate'
import type { FindShownTask } from './find-task'
import { holdTask, waitMs } from './hold-task'
import { pollSeconds, shownStatus } from './task'
import { taskIdForm } from './task-id'
import { taskView } from './task-view'
import type { TaskWatch } from './watch'

export type TaskDeps = { findShownTask: FindShownTask; watch: Pick<TaskWatch, 'wait'> }

/** GET /tasks/{id}: the task as its row is; with `Prefer: wait` the answer is held until it changes. */
export const tasks = (deps: TaskDeps & AuthenticateDeps) =>
  new Elysia({ name: 'tasks', normalize: false })
    .use(authenticate(deps))
    .get('/tasks/:id', async function getTask({ params, caller, leftMs, confirmKey: confirm, set, request }) {
      if (!taskIdForm.test(params.id)) throw new Failure<Reason>('invalid_task_id')
      let task = await deps.findShownTask(params.id, caller.accountId, leftMs)
      if (!task) throw new Failure<Reason>('task_not_found')
      const holdMs = waitMs(request.headers.get('prefer'))
      if (holdMs > 0 && shownStatus(task) === 'processing') {
        task = await holdTask(deps.watch, task, { holdMs, confirm, signal: request.signal, view: taskView })
        set.headers['preference-applied'] = `wait=${holdMs / 1_000}`
      }
      if (shownStatus(task) === 'processing') set.headers['retry-after'] = pollSeconds
      return taskView(task)
    })
