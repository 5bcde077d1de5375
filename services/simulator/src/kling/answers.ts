import { costTold } from '../behaviour/behaviour'
import type { Answer } from '../engine/provider'
import type { Reason } from '../errors'
import type { Fake, Generation } from '../generation/generation'
import { type GenerationView, view } from '../generation/read'
import { isUnnamed } from './read-request'

/**
 * Kling's answers, API 2.0: kling.ai/document-api/api/video/3-0-omni/video-omni, …/api/get-started/error-codes and …/api/get-started/callbacks,
 * in the copy of 2026-09-20 that github.com/aself101/kling-api keeps. Words of errors are those that its author and others saw live.
 */
const answer = (status: number, code: number, message: string, data?: unknown): Answer => ({
  status,
  body: { code, message, request_id: crypto.randomUUID(), ...(data !== undefined && { data }) },
})
const told = (data: unknown): Answer => answer(200, 0, 'SUCCEED', data)
export const fault = (message: string): Answer => answer(400, 1201, message)

export const noAuthorization = answer(401, 1001, 'Authorization is empty')
export const badKey = answer(401, 1002, 'api key not found')
export const noPairs = answer(
  401,
  1002,
  'Authentication error. The current API does not support AK/SK; please go to the console (https://kling.ai/dev/api-key) to create API key.',
)
export const unknownModel = answer(404, 1203, 'model is not supported')
export const sentBefore = (id: string): Answer => fault(`External_task_id ${id} already exists`)

export const refusals: Partial<Record<Reason, Answer>> = {
  invalid_request: fault('Invalid parameters'),
  unauthorized: badKey,
  balance_exhausted: answer(429, 1102, 'Account balance not enough'),
  forbidden: answer(403, 1103, 'Unauthorized access to requested resource'),
  content_rejected: answer(400, 1301, "Trigger the platform's content security policy"),
  input_unreachable: fault('Image URL is invalid'),
  too_many_requests: answer(429, 1303, 'parallel task over resource pack limit'),
}

export const ownFault = answer(500, 5000, 'Server internal error')

const words: Record<string, string> = { queued: 'submitted', running: 'processing' }
const failures: Record<NonNullable<Generation['error']>['code'], string> = {
  generation_failed: 'Internal generation error',
  output_moderated: 'Failure to pass the risk control system',
  input_unreachable: 'Something went wrong when we tried to get the contents of the file.',
}
/** Tenths of a unit of a package that a second takes, without and with sound: what the dispatcher's routes name. */
const tenthsPerSecond: Record<string, [silent: number, audio: number]> = { '720p': [6, 8], '1080p': [8, 10], '4k': [30, 30] }
const unitsOf = ({ resolution, generate_audio: audio, duration_seconds: seconds }: Generation['request']): number =>
  ((tenthsPerSecond[resolution]?.[audio ? 1 : 0] ?? 0) * seconds) / 10

const times = ({ created_at: createdAt, updated_at: updatedAt }: GenerationView) => ({
  create_time: Date.parse(createdAt),
  update_time: Date.parse(updatedAt),
})
const external = (clientTaskId: string | null) => ({ external_id: isUnnamed(clientTaskId) ? '' : clientTaskId })

/** An acknowledgement repeats what it was given, whatever becomes of it (`ignore_token`). */
export const accepted = ({ acceptedAt, request }: Generation, toldId: string): Answer =>
  told({
    ...{ id: toldId, status: 'submitted', message: '', create_time: acceptedAt, update_time: acceptedAt },
    ...external(request.client_task_id),
  })

export const tasks = (entries: object[]): Answer => told(entries)

export function taskOf(seen: GenerationView, { request, behaviours }: Generation): object {
  const { id, status, output_url: url, error, client_task_id: clientTaskId } = seen
  const seconds = request.duration_seconds
  const task = { id, status: words[status] ?? status, message: '', ...times(seen), ...external(clientTaskId) }
  if (error) return { ...task, message: failures[error.code as keyof typeof failures], billing: bill('0') }
  if (status !== 'succeeded') return task
  const video = { type: 'video', id: `${id}1`, url, duration: `${seconds}.041` }
  const units = costTold(behaviours, unitsOf(request))
  return { ...task, outputs: [video], ...(units !== undefined && { billing: bill(String(units)) }) }
}

const bill = (amount: string) => [{ charge_type: 'unit', amount, package_type: 'video' }]

/** What is POSTed to `callback_url`: the task alone, without what every other answer has around it. */
export const callbackOf = (generation: Generation, { origin }: Fake): object => taskOf(view(generation, origin), generation)
