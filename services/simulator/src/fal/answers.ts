import { costTold } from '../behaviour/behaviour'
import type { Answer } from '../engine/provider'
import type { Reason } from '../errors'
import type { Fake, Generation } from '../generation/generation'
import type { GenerationView } from '../generation/read'
import type { InputFault } from './forms'

/**
 * fal's answers: fal.ai/docs/documentation/model-apis/inference/queue, …/inference/webhooks, …/errors, …/request-errors, and the types of
 * @fal-ai/client 1.10.1. Words that only somebody's note has are named so.
 */
/** First two parts of a model's name: status, result and cancel are under it, whatever follows them. */
export const appOf = (model: string): string => model.split('/').slice(0, 2).join('/')

function urlsOf({ origin, model }: Fake, id: string) {
  const base = `${origin}/fal/${appOf(model)}/requests/${id}`
  return { request_id: id, response_url: base, status_url: `${base}/status`, cancel_url: `${base}/cancel` }
}

export const acceptedAnswer = (fake: Fake, id: string): Answer => ({
  status: 200,
  body: { status: 'IN_QUEUE', ...urlsOf(fake, id), gateway_request_id: id, queue_position: 0 },
})

const statusWords: Record<string, string> = {
  ...{ queued: 'IN_QUEUE', running: 'IN_PROGRESS' },
  ...{ succeeded: 'COMPLETED', failed: 'COMPLETED', cancelled: 'COMPLETED' },
}

/** …/request-errors, of a cancelled request. */
const cancelled = { detail: 'The request was cancelled by the client.', error_type: 'client_cancelled' }

/** There is no word for failure: `error` is there where the queue itself failed, and the result tells everything else. */
export function statusAnswer(fake: Fake, { id, status, error, queue_position = 0 }: GenerationView): Answer {
  const word = statusWords[status] ?? status.toUpperCase()
  const urls = urlsOf(fake, id)
  if (word === 'IN_QUEUE') return { status: 202, body: { status: word, ...urls, queue_position } }
  if (word !== 'COMPLETED') return { status: 202, body: { status: word, ...urls, logs: [] } }
  const failure = error?.code === 'generation_failed' ? { error: 'Internal error', error_type: 'internal_error' } : {}
  const ended = status === 'cancelled' ? { error: cancelled.detail, error_type: cancelled.error_type } : failure
  return { status: 200, body: { status: word, ...urls, logs: [], metrics: { inference_time: 1.5 }, ...ended } }
}

export function resultAnswer({ id, status, output_url: url, error }: GenerationView, generation: Generation): Answer {
  if (status === 'cancelled') return { status: 499, body: cancelled }
  // Its status is second-hand.
  if (status !== 'succeeded' && status !== 'failed') return { status: 400, body: { detail: 'Request is still in progress' } }
  if (error?.code === 'generation_failed') return { status: 500, body: { detail: 'Internal error', error_type: 'internal_error' } }
  if (error) return { ...modelError(error.code), ...(error.code === 'output_moderated' && { headers: billed(generation) }) }
  return { status: 200, body: outputOf(id, url ?? '', generation.request.seed), headers: billed(generation) }
}

/** Of what was made, withheld or not: docs.fal.ai/documentation/serverless/publishing-to-marketplace. */
function billed({ request, fake, behaviours }: Generation): Record<string, string> {
  const units = costTold(behaviours, unitsOf(request, fake?.model ?? ''))
  return units === undefined ? {} : { 'x-fal-billable-units': String(units) }
}

/** Of the endpoints whose unit has a price in the dispatcher's routes as many as come to the route's cost: Grok's is a cent, Omni's 0.03 USD. Of others seconds. */
function unitsOf({ resolution, duration_seconds: seconds, ...request }: Generation['request'], endpoint: string): number {
  if (endpoint.startsWith('google/gemini-omni-flash')) return ({ '720p': 10 / 3, '1080p': 5, '4k': 10 }[resolution] ?? 1) * seconds
  if (!endpoint.startsWith('xai/grok-imagine-video')) return seconds
  const images = (request.first_frame_url ? 1 : 0) + (request.reference_images?.length ?? 0)
  return (resolution === '720p' ? 14 : 8) * seconds + images
}

const outputOf = (id: string, url: string, seed?: number) => ({
  video: { url, content_type: 'video/mp4', file_name: `${id}.mp4` },
  ...(seed !== undefined && { seed }),
})

/** A model that refused what it was given, or withheld what it made; `file_download_error` is second-hand. */
function modelError(code: string): Answer {
  const isModerated = code === 'output_moderated'
  const [type, loc, msg] = isModerated
    ? ['content_policy_violation', ['body'], 'The content could not be processed because it was flagged by a content checker.']
    : ['file_download_error', ['body', 'image_url'], 'Failed to download the file.']
  return { status: 422, body: { detail: [{ loc, msg, type, url: `https://docs.fal.ai/errors#${type}` }] } }
}

/** What is POSTed to `fal_webhook`; its signature is in its headers. */
export function callbackOf({ id, status, error, request }: Generation, { origin }: Fake): object {
  const ids = { request_id: id, gateway_request_id: id }
  if (status === 'succeeded') return { ...ids, status: 'OK', payload: outputOf(id, `${origin}/outputs/${id}.mp4`, request.seed) }
  const { status: code, body } =
    error?.code === 'generation_failed'
      ? { status: 500, body: { detail: 'Internal error', error_type: 'internal_error' } }
      : modelError(error?.code ?? '')
  return { ...ids, status: 'ERROR', error: `Invalid status code: ${code}`, payload: body }
}

export const inputAnswer = (faults: InputFault[]): Answer => ({ status: 422, body: { detail: faults } })
export const notFound: Answer = { status: 404, body: { status: 'NOT_FOUND' } }
export const unknownModel = (model: string): Answer => ({ status: 404, body: { detail: `Application "${model}" not found` } })
export const badKey: Answer = { status: 401, body: { detail: 'Cannot authenticate: send the key as "Authorization: Key …".' } }

export const refusals: Partial<Record<Reason, Answer>> = {
  invalid_request: inputAnswer([{ loc: ['body'], msg: 'Value error', type: 'value_error' }]),
  unauthorized: badKey,
  // Second-hand, by many.
  balance_exhausted: {
    status: 403,
    body: { detail: 'User is locked. Reason: Exhausted balance. Top up your balance at fal.ai/dashboard/billing.' },
  },
  forbidden: { status: 403, body: { detail: 'Forbidden' } },
  not_found: notFound,
  content_rejected: {
    status: 422,
    body: { detail: [{ loc: ['body', 'prompt'], msg: 'Flagged by a content checker.', type: 'content_policy_violation' }] },
  },
  input_unreachable: modelError('input_unreachable'),
  too_many_requests: { status: 429, body: { detail: 'Too many requests', error_type: 'concurrent_requests_limit' } },
}

export const broken: Answer = { status: 500, body: { detail: 'Internal Server Error', error_type: 'internal_error' } }
