import type { Answer, OwnGeneration } from '../engine/provider'
import type { Reason } from '../errors'
import type { Fake, Generation, GenerationError } from '../generation/generation'
import { type GenerationView, view } from '../generation/read'

/** Replicate's answers: the types of replicate 1.4.0 (npm), and replicate.com/docs/topics/predictions and …/reference/error-codes. */
export const predictionOf = (
  { id, status, output_url: url, error, ...seen }: GenerationView,
  { request, fake }: OwnGeneration,
): object => ({
  ...{ id, model: fake.model, version: 'hidden', status: statuses[status] ?? status, source: 'api', data_removed: false, logs: '' },
  ...{ input: { prompt: request.prompt }, output: url ?? null, error: error ? failures[error.code as GenerationError['code']] : null },
  ...{ created_at: seen.created_at, ...(status !== 'queued' && { started_at: seen.created_at }) },
  ...((url || error || status === 'cancelled') && { completed_at: seen.updated_at, metrics: { predict_time: request.duration_seconds } }),
  urls: { get: `${fake.origin}/replicate/v1/predictions/${id}`, cancel: `${fake.origin}/replicate/v1/predictions/${id}/cancel` },
})

/** What is POSTed to `webhook` at the end: the prediction. Its signature is not made here. */
export const callbackOf = (generation: Generation, fake: Fake): object =>
  predictionOf(view(generation, fake.origin), { ...generation, fake })

const statuses: Record<string, string> = { queued: 'starting', running: 'processing', cancelled: 'canceled' }

/** E005 is second-hand, by many. */
const sensitive = 'The input or output was flagged as sensitive. Please try again with different inputs. (E005)'
const failures: Record<GenerationError['code'], string> = {
  generation_failed: 'Prediction failed for an unknown reason. (E1000)',
  output_moderated: sensitive,
  input_unreachable: 'An input could not be downloaded.',
}

const refused = (status: number, title: string, detail: string, more: object = {}): Answer => ({
  status,
  body: { title, detail, status, ...more },
})

export const badKey = refused(401, 'Unauthenticated', 'You did not pass a valid authentication token')
export const notFound: Answer = { status: 404, body: { detail: 'The requested resource could not be found.', status: 404 } }
export const notCancelled = refused(422, 'Cannot cancel', 'The prediction can no longer be canceled.')
export const broken: Answer = { status: 500, body: { detail: 'Internal server error' } }
export const invalid = (field: string, description: string): Answer =>
  refused(422, 'Input validation failed', `- ${field}: ${description}\n`, { invalid_fields: [{ type: 'invalid', field, description }] })

export const refusals: Partial<Record<Reason, Answer>> = {
  invalid_request: invalid('input', 'has a fault'),
  unauthorized: badKey,
  balance_exhausted: refused(402, 'Insufficient credit', 'You have insufficient credit to run this model.'),
  forbidden: refused(403, 'Forbidden', 'This token may not run that model.'),
  not_found: notFound,
  // At a submit in no document.
  content_rejected: invalid('input.prompt', sensitive),
  input_unreachable: invalid('input.image', 'could not be downloaded'),
  too_many_requests: {
    status: 429,
    body: { detail: 'Request was throttled. Expected available in 1 second.' },
    headers: { 'retry-after': '1' },
  },
}
