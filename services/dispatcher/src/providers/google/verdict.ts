import { type ProviderAnswer, ProviderTrouble } from '../call'
import type { PollAnswer, SubmitOutcome } from '../connector'
import { generating, queued } from '../mapping/running'
import { succeededWith, videoUrlsIn } from '../results/videos'
import { verdictByStatus } from '../submit-by-call'
import {
  attemptIdOf,
  contentsOf,
  type Fault,
  faultIn,
  faultOf,
  type Interaction,
  interactionForm,
  madeBy,
  modalitiesOf,
  type Operation,
  operationForm,
  wordOf,
} from './wire'

/** Fields and words by which content was refused or withheld; all but the first second-hand, in somebody's working code. */
export const moderationWords = ['raiMediaFilteredCount', 'SAFETY', 'PROHIBITED_CONTENT', 'BLOCKLIST', 'SPII'] as const
const moderationWord = /^(IMAGE_)?(SAFETY|PROHIBITED_CONTENT|BLOCKLIST|SPII)$/i
/** Veo's refusals have no word of their own, only a sentence (second-hand). */
const moderationPhrase = /Responsible AI|sensitive words|usage guidelines|blocked\b[^.]*\b(safety|polic)/i

const isModerated = ({ status, code, message }: Fault): boolean =>
  [status, code].some(one => typeof one === 'string' && moderationWord.test(one)) ||
  // An account that is blocked is told so too, and in the like words.
  (typeof message === 'string' && status !== 'PERMISSION_DENIED' && code !== 403 && moderationPhrase.test(message))

/** Statuses that ai.google.dev/gemini-api/docs/troubleshooting gives to requests that weren't taken up. */
const refusing = [400, 401, 403, 404, 429]

/** What became of a submit. `idOf`: the id in an answer that took it, and whether that repeats ours; undefined where it has none. */
export function outcomeOf(answer: ProviderAnswer, idOf: (body: unknown) => SubmitOutcome | undefined): SubmitOutcome {
  const { status, body } = answer
  if (status >= 200 && status < 300) return idOf(body) ?? { outcome: 'unknown', cause: `answered ${status} without an id` }
  const fault = faultOf(body)
  const cause = `answered ${status} ${fault ? wordOf(fault) : 'no code'}`
  if (!fault || !refusing.includes(status)) return verdictByStatus(status, 'json', cause)
  return { outcome: 'refused', code: isModerated(fault) ? 'prompt_rejected' : 'generation_unavailable', cause }
}

/** An operation repeats no id of ours. */
export const operationIn = (body: unknown): SubmitOutcome | undefined =>
  operationForm.Check(body) ? { outcome: 'accepted', providerTaskId: body.name, echoed: false } : undefined

export const interactionIn =
  (attemptId: string) =>
  (body: unknown): SubmitOutcome | undefined => {
    if (!interactionForm.Check(body)) return undefined
    const echo = attemptIdOf(body)
    if (echo !== null && echo !== attemptId) return { outcome: 'unknown', cause: 'answered about another id of ours' }
    return { outcome: 'accepted', providerTaskId: body.id, echoed: echo === attemptId }
  }

/** What Google knows under an id (`read` gives the answer with its own); undefined where it knows no such id: 404, or for an interaction a 400 that says so (second-hand). */
export function knownIn<T>(
  providerTaskId: string,
  { status, body }: ProviderAnswer,
  read: (body: unknown) => { id: string; known: T } | undefined,
): T | undefined {
  const fault = faultOf(body)
  const saysSo = status === 400 && typeof fault?.message === 'string' && /Invalid interaction name/i.test(fault.message)
  if (fault && (status === 404 || saysSo)) return undefined
  const own = status === 200 ? read(body) : undefined
  if (!own) throw new ProviderTrouble(`answered ${status} ${fault ? wordOf(fault) : 'no code'}`, true)
  if (own.id !== providerTaskId) throw new ProviderTrouble('answered about another generation', true)
  return own.known
}

/** What an operation came to: ai.google.dev/api/rest/v1beta/Operation. A video before an error that stands beside it. */
export function operationAnswer(operation: Operation): PollAnswer {
  if (operation.done !== true) return { status: 'running' }
  const { urls, withheld } = madeBy(operation)
  const succeeded = succeededWith(urls.filter(url => url !== undefined))
  if (succeeded) return succeeded
  const error = faultIn(operation.error)
  if (error && urls.length === 0) return failedBy(error, 'prompt_rejected')
  if (urls.length > 0 || withheld === 0) return { status: 'running', unknownWord: 'done without a video' }
  return { status: 'failed', code: 'output_moderated', cause: `failed: raiMediaFilteredCount ${withheld}` }
}

/** Ends without a whole video; all but `failed` may have left a part of one. */
const endWords = ['failed', 'cancelled', 'incomplete', 'budget_exceeded']

export function interactionAnswer(interaction: Interaction): PollAnswer {
  const { status, error, errors } = interaction
  if (status === 'queued') return queued()
  if (status === 'in_progress') return generating()
  if (status === 'completed') return completedAnswer(interaction)
  const contents = contentsOf(interaction)
  const isWords = contents.length > 0 && contents.every(({ type }) => type === 'text')
  const isEnd = endWords.includes(status) && (status === 'failed' || isWords)
  if (!isEnd) return { status: 'running', unknownWord: status }
  const [first] = Array.isArray(errors) ? errors : []
  return failedBy(faultIn(error) ?? faultIn(first) ?? { code: status }, 'output_moderated')
}

/**
 * A refusal of the content rules is a completed interaction that holds words alone and no tokens of a video (second-hand). Completed without
 * a video is that, or a form that we don't read: the latter is no verdict, because the video may be there and billed.
 */
function completedAnswer(interaction: Interaction): PollAnswer {
  const contents = contentsOf(interaction)
  const videos = contents.filter(({ type }) => type === 'video')
  const succeeded = succeededWith(videoUrlsIn(videos, 'uri'))
  if (succeeded) return succeeded
  const isWords = contents.length > 0 && contents.every(({ type }) => type === 'text')
  if (isWords && modalitiesOf(interaction)?.every(modality => modality === 'text'))
    return { status: 'failed', code: 'output_moderated', cause: 'failed: completed with words and no video' }
  return { status: 'running', unknownWord: videos.length > 0 ? 'completed with a video that has no URL' : 'completed without a video' }
}

function failedBy(fault: Fault, moderatedAs: 'prompt_rejected' | 'output_moderated'): PollAnswer {
  return { status: 'failed', code: isModerated(fault) ? moderatedAs : 'generation_failed', cause: `failed: ${wordOf(fault)}` }
}
