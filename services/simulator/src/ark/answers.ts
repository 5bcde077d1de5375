import { costTold, has } from '../behaviour/behaviour'
import type { Answer } from '../engine/provider'
import type { Reason } from '../errors'
import type { Fake, Generation } from '../generation/generation'
import { type GenerationView, view } from '../generation/read'
import type { ArkFault } from './forms'

/**
 * Ark's answers: docs.byteplus.com/en/docs/ModelArk/1520757, …/1521309, …/1521675 and …/1299023, and the types of volcengine-ark-runtime 5.0.54.
 */

const types: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  429: 'TooManyRequests',
  500: 'InternalServerError',
}
export const refused = (status: number, { code, message, param = '' }: ArkFault): Answer => ({
  status,
  body: { error: { code, message, param, type: types[status] ?? 'BadRequest' } },
})

const unread: ArkFault = {
  code: 'InvalidParameter',
  message: 'The parameter `content[1]` specified in the request is not valid: resource download failed.',
  param: 'content[1]',
}
export const badKey = refused(401, { code: 'AuthenticationError', message: 'The API key in the request is missing or invalid.' })
export const noModel = (model: unknown): Answer =>
  refused(404, {
    code: 'InvalidEndpointOrModel.NotFound',
    message: `The model or endpoint ${model} does not exist or you do not have access to it.`,
  })
export const broken = refused(500, { code: 'InternalServiceError', message: 'The service encountered an unexpected internal error.' })

export const refusals: Partial<Record<Reason, Answer>> = {
  invalid_request: refused(400, { code: 'InvalidParameter', message: 'One or more parameters specified in the request are not valid.' }),
  unauthorized: badKey,
  balance_exhausted: refused(403, { code: 'AccountOverdueError', message: 'The account has an overdue balance.' }),
  forbidden: refused(403, { code: 'AccessDenied', message: 'This key may not use that model.' }),
  // The code's second part is not documented.
  not_found: refused(404, { code: 'NotFound.task', message: 'The specified task is not found.' }),
  content_rejected: refused(400, {
    code: 'InputTextSensitiveContentDetected',
    message: 'The request failed because the input text may contain sensitive information.',
  }),
  input_unreachable: refused(400, unread),
  too_many_requests: refused(429, {
    code: 'RateLimitExceeded.EndpointRPMExceeded',
    message: 'The Requests Per Minute (RPM) limit was exceeded.',
  }),
}

const failures: Record<NonNullable<Generation['error']>['code'], ArkFault> = {
  generation_failed: { code: 'InternalServiceError', message: 'The generation failed.' },
  output_moderated: {
    code: 'OutputVideoSensitiveContentDetected',
    message: 'The request failed because the output video may contain sensitive information.',
  },
  input_unreachable: unread,
}

/** What a submit said of its end user; nothing where the behaviour `ignore_token` has it ignored. */
const identifierOf = ({ fake, behaviours }: Generation): { safety_identifier?: string } =>
  fake?.safetyIdentifier === undefined || has(behaviours, 'ignore_token') ? {} : { safety_identifier: fake.safetyIdentifier }

/** A submit says its id, and nothing of the task. */
export const acceptedAnswer = (generation: Generation, toldId: string): Answer => ({
  status: 200,
  body: { id: toldId, ...identifierOf(generation) },
})

const seedOfNone = 42
const seconds = (time: string): number => Math.floor(Date.parse(time) / 1_000)

/** A task as reads, lists and callbacks tell it. */
export function taskOf(shown: GenerationView, generation: Generation): object {
  const { id, status, output_url: url, error, created_at: createdAt, updated_at: updatedAt } = shown
  const { request, fake } = generation
  const isMade = status === 'succeeded'
  return {
    ...{ id, model: fake?.model, status, created_at: seconds(createdAt), updated_at: seconds(updatedAt) },
    error: error ? failureOf(error.code) : null,
    ...(isMade && { content: { video_url: url }, usage: usageOf(generation) }),
    ...{
      seed: request.seed ?? seedOfNone,
      resolution: request.resolution,
      ratio: request.aspect_ratio,
      duration: request.duration_seconds,
    },
    ...{ framespersecond: 24, service_tier: 'default', execution_expires_after: 172_800 },
    ...(request.generate_audio !== undefined && { generate_audio: request.generate_audio }),
    ...identifierOf(generation),
  }
}

function failureOf(code: string): { code: string; message: string } {
  const { code: word, message } = failures[code as keyof typeof failures]
  return { code: word, message }
}

/**
 * What is billed: pixels and frames, by 1,024 (volcengine.com/docs/82379/1099320). Of a second, by resolution, as the dispatcher's routes name it: a
 * real bill differs a little by ratio.
 */
const tokensPerSecond: Record<string, number> = { '480p': 9_720, '720p': 21_600, '1080p': 48_600 }
function usageOf({ request: { resolution, duration_seconds: length }, behaviours }: Generation) {
  const tokens = costTold(behaviours, (tokensPerSecond[resolution] ?? 0) * length)
  return { completion_tokens: tokens, total_tokens: tokens }
}

/** What is POSTed to `callback_url`: the answer to a read. */
export const callbackOf = (generation: Generation, { origin }: Fake): object => taskOf(view(generation, origin), generation)
