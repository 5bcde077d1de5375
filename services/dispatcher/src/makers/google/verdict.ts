import { type MakerAnswer, MakerTrouble } from '../call'
import type { PollAnswer, SubmitOutcome } from '../connector'
import {
  attemptIdOf,
  type Content,
  type Fault,
  faultOf,
  type Interaction,
  interactionForm,
  type Operation,
  operationForm,
  urlOf,
  wordOf,
} from './wire'

/** Fields and words by which content was refused or withheld; all but the first second-hand, in somebody's working code. */
export const moderationWords = ['raiMediaFilteredCount', 'SAFETY', 'PROHIBITED_CONTENT', 'BLOCKLIST', 'SPII'] as const
const moderationWord = /^(IMAGE_)?(SAFETY|PROHIBITED_CONTENT|BLOCKLIST|SPII)$/i
/** Veo's refusals have no word of their own, only a sentence (second-hand). */
const moderationPhrase = /Responsible AI|sensitive words|usage guidelines|blocked\b[^.]*\b(safety|polic)/i

const isModerated = ({ status, code, message }: Fault): boolean =>
  [status, code].some(one => typeof one === 'string' && moderationWord.test(one)) ||
  (typeof message === 'string' && moderationPhrase.test(message))

/** Statuses that ai.google.dev/gemini-api/docs/troubleshooting gives to requests that weren't taken up. */
const refusing = [400, 401, 403, 404, 429]

/** What became of a submit. `idOf`: the id in an answer that took it, and whether that repeats ours; undefined where it has none. */
export function outcomeOf(answer: MakerAnswer, idOf: (body: unknown) => SubmitOutcome | undefined): SubmitOutcome {
  const { status, body } = answer
  if (status >= 200 && status < 300) return idOf(body) ?? { outcome: 'unknown', cause: `answered ${status} without an id` }
  const fault = faultOf(body)
  const cause = `answered ${status} ${fault ? wordOf(fault) : 'no code'}`
  if (!fault || !refusing.includes(status)) return { outcome: 'unknown', cause }
  return { outcome: 'refused', code: isModerated(fault) ? 'prompt_rejected' : 'generation_unavailable', cause }
}

/** An operation repeats no id of ours. */
export const operationIn = (body: unknown): SubmitOutcome | undefined =>
  operationForm.Check(body) ? { outcome: 'accepted', makerTaskId: body.name, echoed: false } : undefined

export const interactionIn =
  (attemptId: string) =>
  (body: unknown): SubmitOutcome | undefined => {
    if (!interactionForm.Check(body)) return undefined
    const echo = attemptIdOf(body)
    if (echo !== null && echo !== attemptId) return { outcome: 'unknown', cause: 'answered about another id of ours' }
    return { outcome: 'accepted', makerTaskId: body.id, echoed: echo === attemptId }
  }

/** What Google knows under an id; undefined where it knows no such id: 404, or for an interaction a 400 that says so (second-hand). */
export function knownIn<T extends { id: string } | { name: string }>(
  makerTaskId: string,
  { status, body }: MakerAnswer,
  isForm: (body: unknown) => body is T,
): T | undefined {
  const fault = faultOf(body)
  const isUnknown = status === 404 || (status === 400 && typeof fault?.message === 'string' && /Invalid interaction name/i.test(fault.message))
  if (fault && isUnknown) return undefined
  if (status !== 200 || !isForm(body)) throw new MakerTrouble(`answered ${status} ${fault ? wordOf(fault) : 'no code'}`, true)
  if (('id' in body ? body.id : body.name) !== makerTaskId) throw new MakerTrouble('answered about another generation', true)
  return body
}

/** What an operation came to: ai.google.dev/api/rest/v1beta/Operation. A video before an error that stands beside it. */
export function operationAnswer({ done, error, response }: Operation): PollAnswer {
  if (done !== true) return { status: 'running' }
  const { generatedSamples, raiMediaFilteredCount = 0 } = response?.generateVideoResponse ?? {}
  const outputUrl = urlOf(generatedSamples?.[0]?.video?.uri)
  if (outputUrl) return { status: 'succeeded', outputUrl }
  if (error) return failedBy(error, 'prompt_rejected')
  if (generatedSamples?.length || raiMediaFilteredCount === 0) return { status: 'running', unknownWord: 'done without a video' }
  return { status: 'failed', code: 'output_moderated', cause: `failed: raiMediaFilteredCount ${raiMediaFilteredCount}` }
}

/** Ends without a whole video, of which `incomplete` may have left a part. */
const endWords = ['failed', 'cancelled', 'incomplete', 'budget_exceeded']

export function interactionAnswer(interaction: Interaction): PollAnswer {
  const { status, error, errors } = interaction
  if (status === 'queued' || status === 'in_progress') return { status: 'running' }
  const videos = contentsOf(interaction).filter(({ type }) => type === 'video')
  if (status === 'completed') return completedAnswer(interaction, videos)
  const isEnd = endWords.includes(status) && (status === 'failed' || videos.length === 0)
  if (!isEnd) return { status: 'running', unknownWord: status }
  return failedBy(error ?? errors?.[0] ?? { code: status }, 'output_moderated')
}

/**
 * A refusal of the content rules is a completed interaction that holds words alone and no tokens of a video (second-hand). Completed without
 * a video is that, or a form that we don't read: the latter is no verdict, because the video may be there and billed.
 */
function completedAnswer(interaction: Interaction, videos: Content[]): PollAnswer {
  const outputUrl = videos.map(({ uri }) => urlOf(uri)).find(url => url !== undefined)
  if (outputUrl) return { status: 'succeeded', outputUrl }
  const tokens = interaction.usage?.output_tokens_by_modality
  const contents = contentsOf(interaction)
  const isWords = contents.length > 0 && contents.every(({ type }) => type === 'text')
  if (isWords && tokens && tokens.every(({ modality }) => modality?.toLowerCase() === 'text'))
    return { status: 'failed', code: 'output_moderated', cause: 'failed: completed with words and no video' }
  return { status: 'running', unknownWord: videos.length > 0 ? 'completed with a video that has no URL' : 'completed without a video' }
}

/** `output_video` is added by Google's clients; an answer itself has steps. */
const contentsOf = ({ steps = [], output_video: video }: Interaction): Content[] => [
  ...steps.filter(({ type }) => type === 'model_output').flatMap(({ content = [] }) => content),
  ...(video ? [video] : []),
]

function failedBy(fault: Fault, moderatedAs: 'prompt_rejected' | 'output_moderated'): PollAnswer {
  return { status: 'failed', code: isModerated(fault) ? moderatedAs : 'generation_failed', cause: `failed: ${wordOf(fault)}` }
}
