import { noteRequest } from '@filmgate/kit/http/spans'
import { readJson } from '@filmgate/kit/request/read-json'
import { Elysia } from 'elysia'
import { type AuthenticateDeps, authenticate } from '../keys/authenticate'
import { pollSeconds, shownStatus } from '../tasks/task'
import { taskView } from '../tasks/task-view'
import { type CreateDeps, createGeneration } from './create-generation'
import { readIdempotencyKey } from './idempotency'

/** POST /video/generations: 202 with a new task, 200 with the task of an Idempotency-Key seen before. */
export const generations = (deps: CreateDeps & AuthenticateDeps) =>
  new Elysia({ name: 'generations', normalize: false }).use(authenticate(deps)).post(
    '/video/generations',
    async function postGeneration({ request, caller, leftMs, set }) {
      const body = await readJson(request)
      const idempotencyKey = readIdempotencyKey(request.headers)
      const { task, replayed } = await createGeneration(deps, { caller, leftMs, idempotencyKey, body, signal: request.signal })
      noteRequest(request, { task_id: task.id })
      set.status = replayed ? 200 : 202
      if (shownStatus(task) === 'processing' || !replayed) set.headers['retry-after'] = pollSeconds
      if (replayed) set.headers['idempotent-replayed'] = 'true'
      return taskView(task)
    },
    { parse: 'none' },
  )
