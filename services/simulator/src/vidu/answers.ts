import { costTold, has } from '../behaviour/behaviour'
import type { Answer } from '../engine/provider'
import type { Reason } from '../errors'
import type { Fake, Generation } from '../generation/generation'
import { type GenerationView, view } from '../generation/read'
import type { Input, TaskFault } from './forms'

/**
 * Vidu's answers: platform.vidu.com/docs/text-to-video, …/get-generation, …/tasks-list, …/cancel-generation, …/get-account-info and …/error-code.
 */

/** `message` is the page's, with the fields that it has a place for. */
export const refused = (status: number, reason: string, message: string): Answer => ({
  status,
  body: { code: status, reason, message, metadata: { trace_id: crypto.randomUUID().replaceAll('-', '') } },
})

const messages: Record<TaskFault['reason'], string> = {
  FieldLacking: 'field is missing or empty',
  FieldUnwanted: 'unwanted field',
  FieldItemCountOutOfRange: 'field item count out of range',
  FieldInvalid: 'invalid field',
}
export const faultAnswer = ({ reason, field }: TaskFault): Answer => refused(400, reason, `${messages[reason]}: ${field}`)

export const badKey = refused(401, 'Unauthorized', 'unauthorized')
export const noSuchPath = refused(404, 'NotFound', 'not found')
export const noSuchTask = refused(404, 'TaskNotFound', 'task not found')
export const ownFault = refused(500, 'InternalServiceFailure', 'internal service failure')

export const refusals: Partial<Record<Reason, Answer>> = {
  invalid_request: refused(400, 'BadRequest', 'bad request'),
  unauthorized: badKey,
  balance_exhausted: refused(400, 'CreditInsufficient', 'insufficient credits'),
  forbidden: refused(403, 'Forbidden', 'request is forbidden'),
  not_found: noSuchTask,
  content_rejected: refused(400, 'AuditSubmitIllegal', 'submit is illegal'),
  input_unreachable: refused(400, 'ImageDownloadFailure', 'image download failure'),
  too_many_requests: refused(429, 'QuotaExceeded', 'quota exceeded'),
}

/** Credits of a second, by resolution: what the dispatcher's routes name. */
const creditsPerSecond: Record<string, number> = { '540p': 8, '720p': 12, '1080p': 14 }
const creditsOf = ({ resolution, duration_seconds: seconds }: Generation['request']): number =>
  (creditsPerSecond[resolution] ?? 0) * seconds

export const createdAnswer = (input: Input, { acceptedAt, request, ...generation }: Generation, taskId: string): Answer => ({
  status: 200,
  body: {
    ...{ task_id: taskId, state: 'created', model: request.model, prompt: input.prompt ?? '', images: input.images ?? [] },
    ...{ duration: request.duration_seconds, seed: request.seed ?? seedOfNone, resolution: request.resolution },
    ...(input.aspect_ratio !== undefined && { aspect_ratio: input.aspect_ratio }),
    ...{
      movement_amplitude: input.movement_amplitude ?? 'auto',
      payload: payloadOf(generation),
      off_peak: false,
      credits: creditsOf(request),
    },
    created_at: new Date(acceptedAt).toISOString(),
  },
})
const seedOfNone = 42

/** What the caller gave it to carry; a task whose own id is ignored repeats nothing. */
const payloadOf = ({ fake, behaviours }: Pick<Generation, 'fake' | 'behaviours'>): string =>
  has(behaviours, 'ignore_token') ? '' : (fake?.payload ?? '')

const states: Record<string, string> = {
  queued: 'queueing',
  running: 'processing',
  succeeded: 'success',
  failed: 'failed',
  cancelled: 'failed',
}
const errCodes: Record<NonNullable<Generation['error']>['code'], string> = {
  generation_failed: 'InternalServiceFailure',
  output_moderated: 'CreationPolicyViolation',
  input_unreachable: 'ImageDownloadFailure',
}

/** A task as get-generation tells it. */
export function taskOf({ id, status, output_url: url, error }: GenerationView, generation: Generation): object {
  const state = states[status] ?? status
  const creations = state === 'success' ? [{ id: `${id}_1`, url, cover_url: url, watermarked_url: '' }] : []
  const failure = error ? (errCodes[error.code as keyof typeof errCodes] ?? '') : ''
  const errCode = status === 'cancelled' ? 'UserCancelled' : failure
  const credits = costTold(generation.behaviours, state === 'success' ? creditsOf(generation.request) : 0)
  return {
    ...{ id, state, err_code: errCode, ...(credits !== undefined && { credits }) },
    ...{ payload: payloadOf(generation), bgm: false, off_peak: false, creations },
  }
}

/** An entry of the list: without a payload, which its page doesn't show. */
export const listedTask = ({ id, status, request }: Generation): object => ({
  ...{ id, key_id: 'key_simulator', type: 'video', state: states[status] ?? status, model: request.model, prompt: request.prompt },
  ...{ duration: request.duration_seconds, resolution: request.resolution, aspect_ratio: request.aspect_ratio, creations: [] },
})

export const creditsAnswer: Answer = {
  status: 200,
  body: {
    remains: [{ type: 'metered', credit_remain: 1_000, concurrency_limit: 5, current_concurrency: 0, queue_count: 0 }],
    packages: [],
  },
}

/** As the page has it, what is scheduled can't be cancelled. */
export const notCancelled = ({ status }: Generation): Answer =>
  refused(400, 'BadRequest', `task state is ${states[status] ?? status}, can not cancel`)

/** What is POSTed to `callback_url`: a task as get-generation tells it. */
export const callbackOf = (generation: Generation, { origin }: Fake): object => taskOf(view(generation, origin), generation)
