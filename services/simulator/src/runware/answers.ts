import { Failure } from '@filmgate/kit/failure'
import { costTold } from '../behaviour/behaviour'
import type { Reason } from '../errors'
import type { Fake, Generation } from '../generation/generation'
import { type GenerationView, view } from '../generation/read'
import type { TaskFault } from './forms'

/**
 * Runware's answers: runware.ai/docs/platform/task-polling, …/errors and …/webhooks. Codes are those of its pages and of its own client
 * (Runware/runware-typescript 1.6.8, src/errors.ts and its test).
 */
export type Entry = Record<string, unknown>
/** What came of one task, and the status of an answer in which it is alone. */
export type Reply = { data: Entry[]; errors: Entry[]; status: number }

const replyWith = (entry: Entry): Reply => ({ data: [entry], errors: [], status: 200 })
export const accepted = (taskUUID: string): Reply => replyWith({ taskType: 'videoInference', taskUUID })
/** An id that nobody has sent is answered so, and one that hasn't begun too (second-hand). */
export const nothing: Reply = { data: [], errors: [], status: 200 }

const documentation = 'https://runware.ai/docs/platform/errors'
/** `of`: the task, or what an error names in its place. */
export function refused(status: number, of: Entry, fault: TaskFault): Reply {
  const { taskType, taskUUID } = of
  const named = { ...(taskType !== undefined && { taskType }), ...(taskUUID !== undefined && { taskUUID }) }
  return { data: [], errors: [{ ...fault, ...named, documentation }], status }
}

export const badKey: TaskFault = {
  code: 'invalidApiKey',
  message: 'Invalid API key. Get one at https://my.runware.ai/signup',
  parameter: 'apiKey',
}

const inputUnread: TaskFault = { code: 'downloadFailed', message: 'An input could not be downloaded.' }
const refusals: Partial<Record<Reason, [number, TaskFault]>> = {
  invalid_request: [400, { code: 'validationFailed', message: 'The task has a fault.' }],
  unauthorized: [401, badKey],
  balance_exhausted: [402, { code: 'videoInferenceInsufficientCredits', message: 'Insufficient credits to perform the request.' }],
  forbidden: [403, { code: 'forbidden', message: 'This key may not do that.' }],
  client_task_id_reused: [400, { code: 'conflictTaskUUID', message: 'This taskUUID was used before.', parameter: 'taskUUID' }],
  content_rejected: [400, { code: 'promptBlocked', message: 'The prompt was refused by the content rules.', parameter: 'positivePrompt' }],
  input_unreachable: [400, inputUnread],
  too_many_requests: [429, { code: 'rateLimitExceeded', message: 'Too many requests.' }],
}

/** A refusal of the simulator's engine in Runware's words; anything else is a fault of its own. */
export function refusal(error: unknown, task: Entry): Reply {
  if (!(error instanceof Failure)) throw error
  const [status, fault] = refusals[error.reason as Reason] ?? [500, { code: 'internalServerError', message: 'Something went wrong.' }]
  return refused(status, task, fault)
}

/** Sent before under the same id, whatever else it says. */
export const conflict = (task: Entry): Reply => refusal(new Failure<Reason>('client_task_id_reused'), task)
export const malformed = refused(400, {}, { code: 'invalidJSON', message: 'The body is a list of tasks.' })

const failures: Record<NonNullable<Generation['error']>['code'], TaskFault> = {
  generation_failed: { code: 'inferenceError', message: 'The generation failed.' },
  output_moderated: { code: 'providerContentPolicyViolation', message: 'The video was withheld by the content rules.' },
  input_unreachable: inputUnread,
}

const words: Record<string, string> = { queued: 'processing', running: 'processing' }
/** Thousandths of a dollar, a second or a clip, as the dispatcher's routes name them; of any other model a number of that form. */
function costUsdOf({ model, resolution, duration_seconds: seconds, generate_audio: audio }: Generation['request']): number {
  const aSecond: Record<string, Record<string, number>> = {
    'bytedance:seedance@2.0-mini': { '480p': 36, '720p': 81 },
    'vidu:4@2': { '540p': 26, '720p': 39, '1080p': 52 },
    'klingai:kling-video@3-standard': { '720p': audio ? 126 : 84 },
  }
  const clip = model === 'minimax:4@1' ? (resolution === '1080p' ? 490 : seconds === 10 ? 560 : 280) : 180
  const perSecond = aSecond[model]?.[resolution]
  return (perSecond === undefined ? clip : perSecond * seconds) / 1_000
}
const seedOfNone = 42

/** A generation as getResponse tells it: failed ones are among the errors. The status of HTTP that comes with those is not documented. */
export function replyOf({ id, status, output_url: url, error }: GenerationView, { request, fake, behaviours }: Generation): Reply {
  const task = { taskType: 'videoInference', taskUUID: request.client_task_id }
  if (error) return { ...nothing, errors: [{ ...failures[error.code as keyof typeof failures], ...task, status: 'error', documentation }] }
  if (status !== 'succeeded') return replyWith({ ...task, status: words[status] ?? status })
  const cost = fake?.tellsCost ? { cost: costTold(behaviours, costUsdOf(request)) } : {}
  return replyWith({ ...task, status: 'success', videoUUID: id, videoURL: url, seed: request.seed ?? seedOfNone, ...cost })
}

/** What is POSTed to `webhookURL`: the response as getResponse has it, in which only the output's address is of this simulator. */
export function callbackOf(generation: Generation, { origin }: Fake): object {
  const { data, errors } = replyOf(view(generation, origin), generation)
  return errors.length > 0 ? { errors } : { data }
}
