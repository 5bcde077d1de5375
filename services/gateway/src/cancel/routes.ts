import { Failure } from '@filmgate/kit/failure'
import { readJsonAs } from '@filmgate/kit/request/read-json'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'
import { type AuthenticateDeps, authenticate } from '../keys/authenticate'
import type { FindShownTask } from '../tasks/find-task'
import { pollSeconds, shownStatus } from '../tasks/task'
import { taskIdForm } from '../tasks/task-id'
import { taskView } from '../tasks/task-view'
import { type CancelDeps, cancelTask } from './cancel-task'

export type CancelRouteDeps = CancelDeps & { findShownTask: FindShownTask }

const Nothing = Type.Object({}, { additionalProperties: false })

/** POST /tasks/{id}/cancel: 200 with the task that it ended, 202 while its provider is asked. */
export const cancelRoute = (deps: CancelRouteDeps & AuthenticateDeps) =>
  new Elysia({ name: 'cancel', normalize: false }).use(authenticate(deps)).post(
    '/tasks/:id/cancel',
    async function postCancel({ params, caller, leftMs, set, request }) {
      if (!taskIdForm.test(params.id)) throw new Failure<Reason>('invalid_task_id')
      await readNothing(request)
      const found = await deps.findShownTask(params.id, caller.accountId, leftMs)
      if (!found) throw new Failure<Reason>('task_not_found')
      const task = await cancelTask(deps, { task: found, by: 'client', signal: request.signal })
      if (shownStatus(task) === 'processing') {
        set.status = 202
        set.headers['retry-after'] = pollSeconds
      }
      return taskView(task)
    },
    { parse: 'none' },
  )

/** No body, or an empty object. */
export async function readNothing(request: Request): Promise<void> {
  if (request.body !== null && request.headers.get('content-length') !== '0') await readJsonAs(Nothing, request)
}
