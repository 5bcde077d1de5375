import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { type ProviderAnswer, ProviderTrouble } from '../call'
import type { PollAnswer, SubmitOutcome } from '../connector'
import { generating, queued } from '../mapping/running'
import { verdictByStatus } from '../submit-by-call'

/** It goes into URLs and rows. LiteLLM's are base64 of what it knows of a video, in up to 350 characters. */
const Id = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_.:=+~-]{0,499}$' })
const startedForm = TypeCompiler.Compile(Type.Object({ id: Id }))

/** Of a video what every gateway tells. LiteLLM and new-api leave the others out of it, and LiteLLM gives it another id with each answer. */
const Video = Type.Object({
  id: Type.String(),
  status: Type.String({ minLength: 1, maxLength: 100 }),
  progress: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.Unknown()),
})
const videoForm = TypeCompiler.Compile(Video)

const Fault = Type.Object({ code: Type.Optional(Type.Unknown()), type: Type.Optional(Type.Unknown()), message: Type.String() })
const faultForm = TypeCompiler.Compile(Fault)
/** OpenAI's form of an error; new-api's own (`dto/task.go`) is flat. */
const nestedForm = TypeCompiler.Compile(Type.Object({ error: Fault }))
const flatForm = TypeCompiler.Compile(Type.Object({ code: Type.String(), message: Type.String() }))

/** `text` may repeat the prompt: it is read and never shown. */
type Refusal = { code: string; text: string }
const codeForm = /^[A-Za-z0-9_.:-]{1,100}$/
const refusalOf = ({ code, type, message }: Static<typeof Fault>): Refusal => ({
  code: [code, type].map(String).find(one => codeForm.test(one) && one !== 'null' && one !== 'undefined') ?? 'no code',
  text: `${String(code)} ${String(type)} ${message}`,
})

function errorOf(body: unknown): Refusal | undefined {
  if (nestedForm.Check(body)) return refusalOf(body.error)
  return flatForm.Check(body) ? refusalOf(body) : undefined
}

const modelsForm = TypeCompiler.Compile(Type.Object({ data: Type.Array(Type.Unknown()) }))
export const isModels = (body: unknown): boolean => modelsForm.Check(body)

/** Of OpenAI, second-hand by many; of LiteLLM (`litellm/exceptions.py`) and of LLMGateway (page video-generation). */
export const moderationWords = [
  'moderation_blocked',
  'blocked by our moderation system',
  'content_policy_violation',
  'ContentPolicyViolationError',
  'content_filter',
] as const
const isModerated = ({ text }: Refusal): boolean => moderationWords.some(word => text.includes(word))

/** What says that nothing was begun: the request, its key, its balance or its model has a fault, or there are too many. */
const refusals = [400, 401, 402, 403, 404, 405, 413, 415, 422, 429]
/** new-api answers it with 503, before it has asked anybody (`middleware/distributor.go`). */
const noModel = 'model_not_found'

/** A refusal in a gateway's form counts as one; any other answer is judged by its status. */
export function outcomeOf({ status, body }: ProviderAnswer): SubmitOutcome {
  if (status >= 200 && status < 300)
    return startedForm.Check(body)
      ? { outcome: 'accepted', providerTaskId: body.id, echoed: false }
      : { outcome: 'unknown', cause: `answered ${status} without an id` }
  const error = errorOf(body)
  const cause = `answered ${status} ${error?.code ?? 'no code'}`
  if (!error || !(refusals.includes(status) || (status === 503 && error.code === noModel))) return verdictByStatus(status, 'json', cause)
  return { outcome: 'refused', code: isModerated(error) ? 'prompt_rejected' : 'generation_unavailable', cause }
}

/** What a video is told to be; its file is at `outputUrl` once it is completed. new-api answers 400 where it has none (`relay/relay_task.go`). */
export function answerOf({ status, body }: ProviderAnswer, outputUrl: string): PollAnswer {
  const error = errorOf(body)
  if (error && (status === 404 || error.code === 'task_not_exist')) return { status: 'missing' }
  if (status !== 200 || !videoForm.Check(body))
    throw new ProviderTrouble(`answered ${status} ${error?.code ?? 'no code'} to a status`, true)
  switch (body.status) {
    case 'queued':
      return queued()
    case 'in_progress':
    // LiteLLM's, of Veo.
    case 'processing':
      return generating(body.progress)
    case 'completed':
      return { status: 'succeeded', outputUrl }
    case 'failed':
      return failedBy(body.error)
    // LLMGateway's. Its `expired` is no end that we know: it may be said of a video that was made.
    case 'canceled':
    case 'cancelled':
      return { status: 'failed', code: 'generation_failed', cause: 'canceled' }
    default:
      return { status: 'running', unknownWord: body.status }
  }
}

function failedBy(told: unknown): PollAnswer {
  const error = faultForm.Check(told) ? refusalOf(told) : undefined
  return {
    status: 'failed',
    code: error && isModerated(error) ? 'output_moderated' : 'generation_failed',
    cause: `failed: ${error?.code ?? 'no code'}`,
  }
}
