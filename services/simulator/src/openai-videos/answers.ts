import type { Answer, OwnGeneration } from '../engine/provider'
import type { Reason } from '../errors'
import type { GenerationError } from '../generation/generation'
import type { GenerationView } from '../generation/read'

/** OpenAI's sizes and those that gateways add for Veo (docs.llmgateway.io/features/video-generation), as the simulator says them. */
export const sizes: Record<string, [resolution: string, aspectRatio: string]> = {
  '1280x720': ['720p', '16:9'],
  '720x1280': ['720p', '9:16'],
  '1920x1080': ['1080p', '16:9'],
  '1080x1920': ['1080p', '9:16'],
}

/** A video as the types of openai 7.57.0 (npm) have it. */
export const videoOf = ({ id, status, error, ...seen }: GenerationView, { request, fake }: OwnGeneration): object => ({
  ...{ id, object: 'video', model: fake.model, status: statuses[status] ?? status, progress: seen.progress ?? progress[status] ?? 0 },
  ...{ created_at: secondsOf(seen.created_at), completed_at: seen.output_url || error ? secondsOf(seen.updated_at) : null },
  ...{ expires_at: null, error: error ? failures[error.code as GenerationError['code']] : null, prompt: request.prompt },
  ...{ remixed_from_video_id: null, seconds: String(request.duration_seconds), size: sizeOf(request) },
})

const secondsOf = (at: string): number => Math.floor(Date.parse(at) / 1_000)
const sizeOf = ({ resolution, aspect_ratio: ratio }: OwnGeneration['request']): string | undefined =>
  Object.keys(sizes).find(size => sizes[size]?.join() === `${resolution},${ratio}`)
const statuses: Record<string, string> = { running: 'in_progress', succeeded: 'completed' }
const progress: Record<string, number> = { running: 40, succeeded: 100 }

/** Second-hand, by many. */
const moderation = { code: 'moderation_blocked', message: 'Your request was blocked by our moderation system.' }
const failures: Record<GenerationError['code'], { code: string; message: string }> = {
  generation_failed: { code: 'server_error', message: 'The server had an error while processing your request.' },
  output_moderated: moderation,
  input_unreachable: { code: 'invalid_image', message: 'The image could not be downloaded.' },
}

const refused = (status: number, code: string | null, message: string, param: string | null = null): Answer => ({
  status,
  body: { error: { message, type: status === 429 ? 'requests' : 'invalid_request_error', param, code } },
})

export const badKey = refused(401, 'invalid_api_key', 'Incorrect API key provided.')
export const notFound = refused(404, 'not_found', 'Video not found.')
export const noModel = refused(404, 'model_not_found', 'The model does not exist or you do not have access to it.')
export const broken: Answer = {
  status: 500,
  body: { error: { message: 'The server had an error.', type: 'server_error', param: null, code: null } },
}
export const invalid = (field: string, what = `Invalid value for '${field}'.`): Answer => refused(400, 'invalid_value', what, field)

export const refusals: Partial<Record<Reason, Answer>> = {
  invalid_request: invalid('prompt'),
  unauthorized: badKey,
  balance_exhausted: refused(429, 'insufficient_quota', 'You exceeded your current quota.'),
  forbidden: refused(403, 'permission_denied', 'You have insufficient permissions.'),
  not_found: notFound,
  content_rejected: refused(400, moderation.code, moderation.message),
  input_unreachable: invalid('input_reference', 'The image could not be downloaded.'),
  too_many_requests: { ...refused(429, 'rate_limit_exceeded', 'Rate limit reached.'), headers: { 'retry-after': '1' } },
}
