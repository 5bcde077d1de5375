import { costTold } from '../behaviour/behaviour'
import type { Answer } from '../engine/provider'
import type { Reason } from '../errors'
import type { Generation } from '../generation/generation'
import type { GenerationView } from '../generation/read'

/**
 * DashScope's answers, as Model Studio's pages of Wan show them: help.aliyun.com/zh/model-studio/legacy-image-to-video-api-reference,
 * …/wan3-video-generation-api-reference, …/manage-asynchronous-tasks; codes and their words: …/error-code.
 */
export type Fault = { code: string; message: string }

const told = (body: object): Answer => ({ status: 200, body: { request_id: crypto.randomUUID(), ...body } })
export const refused = (status: number, fault: Fault): Answer => ({ status, body: { ...fault, request_id: crypto.randomUUID() } })

export const canceledAnswer = (): Answer => told({})
export const acceptedAnswer = (id: string): Answer => told({ output: { task_status: 'PENDING', task_id: id } })
/** An id that nobody was given, as one whose day is over (second-hand of the first). */
export const unknownTask = (id: string): Answer => told({ output: { task_id: id, task_status: 'UNKNOWN' } })

export const badKey = refused(401, { code: 'InvalidApiKey', message: 'Invalid API-key provided.' })
/** Its status is second-hand. */
export const notAsynchronous = refused(403, {
  code: 'AccessDenied',
  message: 'current user api does not support synchronous calls.',
})
export const invalid = (message: string): Answer => refused(400, { code: 'InvalidParameter', message })
export const unknownModel = invalid('Model not exist.')
/** Only what is PENDING can be canceled. */
export const notPending = refused(400, {
  code: 'UnsupportedOperation',
  message: 'Failed to cancel the task, please confirm if the task is in PENDING status.',
})
export const ownFault = refused(500, {
  code: 'InternalError',
  message: 'An internal error has occured, please try again later or contact service support.',
})

const unread: Fault = {
  code: 'InvalidParameter.DataInspection',
  message: 'Unable to download the media resource during the data inspection process.',
}
export const refusals: Partial<Record<Reason, Answer>> = {
  invalid_request: invalid('Required parameter(s) missing or invalid, please check the request parameters.'),
  unauthorized: badKey,
  balance_exhausted: refused(400, { code: 'Arrearage', message: 'Access denied, please make sure your account is in good standing.' }),
  forbidden: refused(403, { code: 'Model.AccessDenied', message: 'Model access denied.' }),
  content_rejected: refused(400, { code: 'DataInspectionFailed', message: 'Input data may contain inappropriate content.' }),
  input_unreachable: refused(400, unread),
  too_many_requests: refused(429, {
    code: 'Throttling.RateQuota',
    message: 'Requests rate limit exceeded, please try again later.',
  }),
}

const failures: Record<NonNullable<Generation['error']>['code'], Fault> = {
  generation_failed: { code: 'InternalError.Algo', message: 'An internal error has occured during execution.' },
  output_moderated: { code: 'DataInspectionFailed', message: 'Output data may contain inappropriate content.' },
  input_unreachable: unread,
}

const words: Record<string, string> = { queued: 'PENDING', cancelled: 'CANCELED' }

/** UTC+8, as its pages have it. */
const timeOf = (iso: string): string => new Date(Date.parse(iso) + 8 * 3_600_000).toISOString().replace('T', ' ').slice(0, -1)

export function taskAnswer(view: GenerationView, { request, behaviours }: Generation): Answer {
  const { id, status, created_at: at, updated_at: endedAt, output_url: url, error } = view
  const task = { task_id: id, task_status: words[status] ?? status.toUpperCase(), submit_time: timeOf(at) }
  const ended = { ...task, scheduled_time: timeOf(at), end_time: timeOf(endedAt) }
  if (error) return told({ output: { ...ended, ...failures[error.code as keyof typeof failures] } })
  if (status !== 'succeeded') return told({ output: task })
  const { duration_seconds: seconds, resolution, prompt } = request
  const duration = costTold(behaviours, seconds)
  const usage = { video_count: 1, duration, output_video_duration: duration, input_video_duration: 0, SR: Number.parseInt(resolution, 10) }
  return told({ output: { ...ended, orig_prompt: prompt, video_url: url }, usage })
}
