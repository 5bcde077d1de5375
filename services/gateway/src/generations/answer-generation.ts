import { noteRequest } from '@filmgate/kit/http/spans'
import { readJson } from '@filmgate/kit/request/read-json'
import type { Caller } from '../keys/find-caller'
import { pollSeconds, type Surface, shownStatus } from '../tasks/task'
import { taskView } from '../tasks/task-view'
import { type CreateDeps, createGeneration } from './create-generation'
import { readCreationHeaders } from './creation-headers'
import { readIdempotencyKey } from './idempotency'

export type Asking = {
  request: Request
  set: { status?: number | string; headers: Record<string, string | number> }
  caller: Caller
  surface: Surface
  /** The person of the console. */
  memberId?: string | undefined
  leftMs: number
}

/** The answer to a generation that was asked for, of either surface: 202 with a new task, 200 with the task of an Idempotency-Key seen before. */
export async function answerGeneration(deps: CreateDeps, { request, set, caller, surface, memberId, leftMs }: Asking) {
  const body = await readJson(request)
  const idempotencyKey = readIdempotencyKey(request.headers)
  const ofHeaders = readCreationHeaders(request.headers)
  const asked = { caller, surface, memberId, leftMs, idempotencyKey, ...ofHeaders, body, signal: request.signal }
  const { task, replayed } = await createGeneration(deps, asked)
  noteRequest(request, { task_id: task.id })
  set.status = replayed ? 200 : 202
  if (shownStatus(task) === 'processing' || !replayed) set.headers['retry-after'] = pollSeconds
  if (replayed) set.headers['idempotent-replayed'] = 'true'
  return taskView(task)
}
