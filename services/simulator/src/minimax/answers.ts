import { costTold } from '../behaviour/behaviour'
import type { Answer } from '../engine/provider'
import type { Reason } from '../errors'
import type { Fake, Generation } from '../generation/generation'
import { type GenerationView, view } from '../generation/read'
import { isH3 } from './h3-form'

/**
 * MiniMax's answers (platform.minimax.io/docs/api-reference): video-generation-v2-create, -v2-query and -v2-list for H3, video-generation-t2v,
 * -query and -download for Hailuo, errorcode. H3 has a status of HTTP for each error; Hailuo has 200, and a code in `base_resp`.
 */
const ok = { status_code: 0, status_msg: 'success' }
export const accepted = (model: string, id: string): Answer => ({
  status: 200,
  body: isH3(model) ? { task_id: id } : { task_id: id, base_resp: ok },
})

/** A code, its words, and the status and type of H3's error. */
type Refusal = [code: number, words: string, status: number, type: string]
const invalid = (words: string): Refusal => [2013, `invalid params, ${words}`, 400, 'bad_request_error']
const badKeyWords = "login fail: Please carry the API secret key in the 'Authorization' field of the request header"
const badKey: Refusal = [1004, badKeyWords, 401, 'authorized_error']
const ownFault: Refusal = [1000, 'internal error', 500, 'server_error']
const refusals: Partial<Record<Reason, Refusal>> = {
  invalid_request: invalid('the body has a fault'),
  unauthorized: badKey,
  balance_exhausted: [1008, 'insufficient balance', 402, 'insufficient_balance_error'],
  // Its code is in mmx-cli 1.0.27; its status and type are in no document.
  forbidden: [2061, 'your current plan does not have this model', 403, 'permission_error'],
  content_rejected: [1026, 'video description contains sensitive content', 422, 'unprocessable_entity_error'],
  // No document says how it is refused.
  input_unreachable: invalid('an input could not be downloaded'),
  too_many_requests: [1002, 'rate limit, please retry later', 429, 'rate_limit_error'],
  internal_error: ownFault,
}

/** `ofH3`: in which of both forms. */
export function refused([code, words, status, type]: Refusal, ofH3: boolean): Answer {
  if (!ofH3) return { status: 200, body: { task_id: '', base_resp: { status_code: code, status_msg: words } } }
  const error = { type, message: `${words} (${code})`, http_code: String(status) }
  return { status, body: { type: 'error', error, request_id: crypto.randomUUID().replaceAll('-', '') } }
}

export const faulty = (words: string, ofH3: boolean): Answer => refused(invalid(words), ofH3)
export const unauthorized = (ofH3: boolean): Answer => refused(badKey, ofH3)
/** Second-hand: what both answer to an id that nobody has. */
export const noTask = (ofH3: boolean): Answer =>
  refused(ofH3 ? [1000, 'record not found', 500, 'server_error'] : invalid('task not found'), ofH3)

/** A refusal of the simulator's in MiniMax's format. */
export const refusal = (reason: Reason, ofH3: boolean): Answer =>
  reason === 'not_found' ? noTask(ofH3) : refused(refusals[reason] ?? ownFault, ofH3)

const failures: Record<NonNullable<Generation['error']>['code'], [code: number, words: string]> = {
  generation_failed: [1033, 'system error'],
  output_moderated: [1027, 'generated video contains sensitive content'],
  input_unreachable: [2013, 'invalid params, an input could not be downloaded'],
}
const failureOf = ({ error }: GenerationView) => error && failures[error.code as keyof typeof failures]

const seconds = (iso: string): number => Math.floor(Date.parse(iso) / 1_000)

/** A task of H3's, in a query, a list and a callback alike. */
export function taskOf(told: GenerationView, { request, fake, behaviours }: Generation): object {
  const [code, message] = failureOf(told) ?? []
  const { duration_seconds: duration, resolution, aspect_ratio: ratio } = request
  return {
    ...{ id: told.id, model: fake?.model, status: told.status, task_type: 'generation', modality: 'video' },
    ...{
      created_at: seconds(told.created_at),
      updated_at: seconds(told.updated_at),
      resolution: resolution.toUpperCase(),
      duration,
      ratio,
    },
    ...(code !== undefined && { error: { code: String(code), message } }),
    ...(told.output_url && { content: { url: told.output_url } }),
    usage: told.output_url
      ? { total_seconds: costTold(behaviours, duration), input_seconds: 0, output_seconds: duration, input_image_count: 0 }
      : {},
  }
}

/** The id of a task's file: a number of its own. */
const fileIdOf = (id: string): string => `${id}7`
export const taskOfFile = (fileId: string): string => /^(\d+)7$/.exec(fileId)?.[1] ?? ''

const words: Record<string, string> = { queued: 'Queueing', running: 'Processing', succeeded: 'Success', failed: 'Fail' }

/** A task of Hailuo's as a query has it. */
export function statusOf(told: GenerationView): object {
  const [code, message] = failureOf(told) ?? [ok.status_code, ok.status_msg]
  const isThere = told.status === 'succeeded'
  return {
    ...{ task_id: told.id, status: words[told.status] ?? told.status, file_id: isThere ? fileIdOf(told.id) : '' },
    ...(isThere && { video_width: 1366, video_height: 768 }),
    base_resp: { status_code: code, status_msg: message },
  }
}

export const fileOf = ({ id, created_at: createdAt, output_url: url }: GenerationView): object => ({
  file: {
    ...{ file_id: Number(fileIdOf(id)), bytes: 5_896_337, created_at: seconds(createdAt), filename: 'output_aigc.mp4' },
    ...{ purpose: 'video_generation', download_url: url },
  },
  base_resp: ok,
})

/** What is POSTed to `callback_url` at the end: the answer to a query, in which Hailuo has words of its own. */
export function callbackOf(generation: Generation, { origin, model }: Fake): object {
  const told = view(generation, origin)
  if (isH3(model)) return { task: taskOf(told, generation) }
  return { ...statusOf(told), status: told.status === 'succeeded' ? 'success' : 'failed' }
}
