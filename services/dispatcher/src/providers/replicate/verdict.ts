import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { type ProviderAnswer, ProviderTrouble } from '../call'
import type { PollAnswer, SubmitOutcome } from '../connector'
import { generating, queued } from '../mapping/running'
import { succeededWith, videoUrlsIn } from '../results/videos'
import { verdictByStatus } from '../submit-by-call'

/** A prediction as the types of replicate 1.4.0 (npm) have it, and an error as its pages rate-limits and error-codes do. */
const Prediction = Type.Object({
  /** It goes into URLs and rows. */
  id: Type.String({ pattern: '^[A-Za-z0-9_-]{1,100}$' }),
  status: Type.String({ minLength: 1, maxLength: 100 }),
  output: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.Unknown()),
})
const predictionForm = TypeCompiler.Compile(Prediction)
const errorForm = TypeCompiler.Compile(Type.Object({ detail: Type.String(), title: Type.Optional(Type.String()) }))
const accountForm = TypeCompiler.Compile(Type.Object({ username: Type.String() }))

export const isAccount = (body: unknown): boolean => accountForm.Check(body)

/** Second-hand, by many: “The input or output was flagged as sensitive. … (E005)”. */
export const moderationWords = ['flagged as sensitive', '(E005)'] as const
const isModerated = (text: string): boolean => moderationWords.some(word => text.includes(word))

/** What says that nothing was begun: the request, its key, its balance or its model has a fault, or there are too many. */
const refusals = [400, 401, 402, 403, 404, 405, 413, 415, 422, 429]

/** What became of a submit. */
export function outcomeOf({ status, body }: ProviderAnswer): SubmitOutcome {
  if (status >= 200 && status < 300)
    return predictionForm.Check(body)
      ? { outcome: 'accepted', providerTaskId: body.id, echoed: false }
      : { outcome: 'unknown', cause: `answered ${status} without an id` }
  const cause = `answered ${status}`
  if (!errorForm.Check(body) || !refusals.includes(status)) return verdictByStatus(status, 'json', cause)
  return { outcome: 'refused', code: isModerated(body.detail) ? 'prompt_rejected' : 'generation_unavailable', cause }
}

/** Not documented: any fault of the request itself but its key, its rate and an unknown id. */
export const isCancelRefused = ({ status, body }: ProviderAnswer): boolean => [400, 409, 422].includes(status) && errorForm.Check(body)

export function answerOf({ status, body }: ProviderAnswer): PollAnswer {
  if (status === 404 && errorForm.Check(body)) return { status: 'missing' }
  if (status !== 200 || !predictionForm.Check(body)) throw new ProviderTrouble(`answered ${status} to a status`, true)
  return verdictOf(body)
}

/** An output is one address here, or a list of one. It is removed after an hour: a success without one is no end that we know. */
function verdictOf({ status, output, error }: Static<typeof Prediction>): PollAnswer {
  switch (status) {
    case 'starting':
      return queued()
    case 'processing':
      return generating()
    case 'succeeded':
      return succeededWith(videoUrlsIn(output, 'url')) ?? { status: 'running', unknownWord: 'succeeded without a URL' }
    case 'failed':
      return failedBy(typeof error === 'string' ? error : '')
    // `aborted`: before it ran.
    case 'canceled':
    case 'aborted':
      return { status: 'cancelled', cause: status }
    default:
      return { status: 'running', unknownWord: status }
  }
}

/** Its words may repeat the prompt: of them only the code is kept. */
function failedBy(words: string): PollAnswer {
  const [, code = 'no code'] = /\b(E\d{3,4})\b/.exec(words) ?? []
  return { status: 'failed', code: isModerated(words) ? 'output_moderated' : 'generation_failed', cause: `failed: ${code}` }
}
