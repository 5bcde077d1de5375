import { has } from '../behaviour/behaviour'
import type { Answer } from '../engine/provider'
import type { Reason } from '../errors'
import type { Fake, Generation } from '../generation/generation'
import { type GenerationView, view } from '../generation/read'

/**
 * Google's answers: google.rpc.Status for errors (ai.google.dev/gemini-api/docs/troubleshooting), operations as @google/genai 2.32.0 reads
 * them, interactions and files as google-genai 3.4.0 does. What only somebody's working code shows is named so.
 */
export const fault = (status: number, word: string, message: string, details?: object[]): Answer => ({
  status,
  body: { error: { code: status, message, status: word, ...(details && { details }) } },
})

const reasonOf = (reason: string) => [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com' }]
export const noKey = fault(403, 'PERMISSION_DENIED', 'Method doesn’t allow unregistered callers.')
export const wrongScheme = fault(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.')
export const badKey = fault(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', reasonOf('API_KEY_INVALID'))
export const invalid = (message: string): Answer => fault(400, 'INVALID_ARGUMENT', message)
export const notFound = fault(404, 'NOT_FOUND', 'Requested entity was not found.')
export const internal = fault(500, 'INTERNAL', 'An internal error has occurred.')

export const refusals: Partial<Record<Reason, Answer>> = {
  invalid_request: invalid('Request contains an invalid argument.'),
  unauthorized: badKey,
  balance_exhausted: fault(400, 'FAILED_PRECONDITION', 'Please enable billing on your project.'),
  forbidden: fault(403, 'PERMISSION_DENIED', 'Your API key doesn’t have the required permissions.'),
  not_found: notFound,
  // Second-hand.
  content_rejected: invalid('The prompt contains words that violate Google’s Responsible AI practices.'),
  input_unreachable: invalid('Unable to process input image.'),
  too_many_requests: fault(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', [
    { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '30s' },
  ]),
}

const operationName = (model: string, id: string): string => `models/${model}/operations/${id}`
export const operationAccepted = ({ model }: Fake, id: string): Answer => ({ status: 200, body: { name: operationName(model, id) } })

/** An operation's and an interaction's id differ; their file has what is common to both. */
export const interactionPrefix = 'v1_'
export const fileIdOf = (id: string): string => (id.startsWith(interactionPrefix) ? id.slice(interactionPrefix.length) : id)

/** `origin`: where the output is said to be; nobody but this fake hands it out. */
export const fileUri = (origin: string, id: string): string => `${origin}/google/v1beta/files/${fileIdOf(id)}:download?alt=media`
const uriOf = ({ id, output_url: url }: GenerationView): string | undefined => url && fileUri(new URL(url).origin, id)

export function operationAnswer(told: GenerationView, { model }: Fake): Answer {
  const name = operationName(model, told.id)
  const uri = uriOf(told)
  const made = (response: object) => ({
    status: 200,
    body: {
      ...{ name, done: true },
      response: {
        '@type': 'type.googleapis.com/google.ai.generativelanguage.v1beta.PredictLongRunningResponse',
        generateVideoResponse: response,
      },
    },
  })
  if (uri) return made({ generatedSamples: [{ video: { uri } }] })
  if (!told.error) return { status: 200, body: { name } }
  if (told.error.code === 'output_moderated')
    return made({ raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['Veo could not generate a video based on the prompt provided.'] })
  return { status: 200, body: { name, done: true, error: { code: 13, message: 'An internal error has occurred.' } } }
}

const words: Record<string, string> = { queued: 'in_progress', running: 'in_progress', succeeded: 'completed' }
const tokens = (modality: string) => ({ usage: { total_output_tokens: 100, output_tokens_by_modality: [{ modality, tokens: 100 }] } })
const output = (content: object) => [{ type: 'model_output', content: [content] }]

export function interactionAnswer(told: GenerationView, { fake, behaviours }: Pick<Generation, 'fake' | 'behaviours'>): Answer {
  const { id, status, error, created_at: created, updated_at: updated } = told
  const labels = has(behaviours, 'ignore_token') ? undefined : fake?.labels
  const shown = (word: string, more: object = {}) => ({
    status: 200,
    body: { id, object: 'interaction', model: fake?.model, status: word, created, updated, ...(labels && { labels }), ...more },
  })
  const uri = uriOf(told)
  if (uri) return shown('completed', { steps: output({ type: 'video', mime_type: 'video/mp4', uri }), ...tokens('video') })
  // Second-hand: a refusal is no failure but words in a video's place.
  if (error?.code === 'output_moderated')
    return shown('completed', { steps: output({ type: 'text', text: 'I can’t make that video.' }), ...tokens('text') })
  if (error) return shown('failed', { errors: [{ code: 'internal_error', message: 'An internal error has occurred.' }] })
  return shown(words[status] ?? status)
}

/** What is told of an interaction when it was taken, whatever became of it since; `id` may be another one than its own. */
export const interactionAccepted = (generation: Generation, id: string): Answer =>
  interactionAnswer({ ...view({ ...generation, status: 'queued', error: null }), id }, generation)

export const fileAnswer = (origin: string, id: string, state: 'PROCESSING' | 'ACTIVE'): Answer => ({
  status: 200,
  body: { name: `files/${fileIdOf(id)}`, mimeType: 'video/mp4', state, uri: fileUri(origin, id).split(':download')[0] },
})

/** What is POSTed to a request's own webhook: ai.google.dev/gemini-api/docs/webhooks; its signature is not made here. */
export function callbackOf({ id, status }: Generation, { model }: Fake): object {
  const isInteraction = id.startsWith(interactionPrefix)
  const type = isInteraction ? `interaction.${status === 'succeeded' ? 'completed' : 'failed'}` : 'video.generated'
  return { type, version: 'v1', data: { id: isInteraction ? id : operationName(model, id) } }
}
