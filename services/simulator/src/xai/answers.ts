import { costTold } from '../behaviour/behaviour'
import type { Answer, OwnGeneration } from '../engine/provider'
import type { Reason } from '../errors'
import type { Generation, GenerationError } from '../generation/generation'
import type { GenerationView } from '../generation/read'
import type { Fault } from './forms'

/**
 * xAI's answers: its OpenAPI document (api.x.ai/api-docs/openapi.json) and docs.x.ai/developers/debugging. Its errors have two forms, and both
 * are here; which of them comes when is second-hand. Null: without a body.
 */

/** One US dollar is 10,000,000,000 ticks. A second by resolution, and an input image: what the dispatcher's routes name. */
const ticksPerSecond: Record<string, number> = { '480p': 800_000_000, '720p': 1_400_000_000 }
const ticksPerImage = 100_000_000

function usageOf({ request, behaviours }: Generation): { usage?: object } {
  const images = (request.first_frame_url ? 1 : 0) + (request.reference_images?.length ?? 0)
  const cost = costTold(behaviours, request.duration_seconds * (ticksPerSecond[request.resolution] ?? 0) + images * ticksPerImage)
  return cost === undefined ? {} : { usage: { cost_in_usd_ticks: cost } }
}

export const acceptedAnswer = (id: string): Answer => ({ status: 200, body: { request_id: id } })

/** A failed generation is told with 200, as a finished one is. One in progress is 202, with a body or without. */
export function resultAnswer({ status, output_url: url, progress = 40 }: GenerationView, generation: OwnGeneration): Answer {
  const { request, fake, error } = generation
  const { model } = fake
  const { duration_seconds: duration } = request
  if (status === 'queued') return { status: 202, body: null }
  if (status === 'running') return { status: 202, body: { status: 'pending', model, progress } }
  if (status !== 'succeeded' && status !== 'failed') return { status: 200, body: { status, model } }
  const paid = usageOf(generation)
  const done = (video: object): Answer => ({
    status: 200,
    body: { status: 'done', video: { duration, ...video }, model, ...paid, progress: 100 },
  })
  if (status === 'succeeded') return done({ url, respect_moderation: true })
  if (error?.code === 'output_moderated') return done({ url: '', respect_moderation: false })
  return { status: 200, body: { status: 'failed', error: failures[error?.code ?? 'generation_failed'] } }
}

type FailedCode = Exclude<GenerationError['code'], 'output_moderated'>
const failures: Record<FailedCode, { code: string; message: string }> = {
  generation_failed: { code: 'internal_error', message: 'Internal error encountered.' },
  input_unreachable: { code: 'invalid_argument', message: 'An input image could not be fetched.' },
}

const flat = (status: number, code: string, error: string): Answer => ({ status, body: { code, error } })
const nested = (status: number, code: string, message: string): Answer => ({
  status,
  body: { error: { message, type: 'invalid_request_error', param: null, code } },
})

const argument = 'Client specified an invalid argument'
const permission = 'The caller does not have permission to execute the specified operation'
export const faultAnswer = ({ status, message }: Fault): Answer =>
  status === 404 ? flat(404, 'not-found', message) : status === 422 ? nested(422, 'invalid_request', message) : flat(400, argument, message)

export const noKey = flat(401, 'unauthenticated', 'No credentials were presented. Send "Authorization: Bearer <key>".')
/** A key that is wrong is 400: docs.x.ai/developers/debugging. */
export const badKey = flat(400, argument, 'Incorrect API key provided. You can obtain an API key from https://console.x.ai.')
export const notFound = flat(404, 'not-found', 'No deferred video could be found with the given request_id.')
export const broken = flat(500, 'internal_error', 'Something went wrong.')

export const refusals: Partial<Record<Reason, Answer>> = {
  invalid_request: flat(400, argument, 'The request has a fault.'),
  unauthorized: badKey,
  balance_exhausted: flat(403, permission, 'Your team has either used all available credits or reached its monthly spending limit.'),
  forbidden: flat(403, permission, 'This key may not use that model.'),
  not_found: notFound,
  content_rejected: flat(403, permission, 'Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_TEST'),
  input_unreachable: nested(400, 'invalid_argument', 'An input image could not be fetched.'),
  too_many_requests: nested(429, 'rate_limit_exceeded', 'Too many requests for this team and model.'),
}

export const keyAnswer: Answer = {
  status: 200,
  body: {
    ...{ redacted_api_key: 'xai-...b14o', user_id: '59fbe5f2-040b-46d5-8325-868bb8f23eb2', name: 'The simulator’s key' },
    ...{ create_time: '2026-01-01T12:55:18.139305Z', modify_time: '2026-01-01T12:55:18.139305Z' },
    ...{ modified_by: '59fbe5f2-040b-46d5-8325-868bb8f23eb2', team_id: '5ea6f6bd-7815-4b8a-9135-28b2d7ba6722' },
    ...{ acls: ['api-key:model:*', 'api-key:endpoint:*'], api_key_id: 'ae1e1841-4326-4b36-a8a9-8a1a7237db11' },
    ...{ team_blocked: false, api_key_blocked: false, api_key_disabled: false },
  },
}
