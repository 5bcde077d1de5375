import { costTold } from '../behaviour/behaviour'
import type { Answer } from '../engine/provider'
import type { Reason } from '../errors'
import type { Generation, GenerationRequest } from '../generation/generation'
import type { GenerationView } from '../generation/read'

/** PixVerse's answers: docs.platform.pixverse.ai, text-to-video-generation, get-video-generation-status, upload-image and error-codes. */
export const told = (resp: unknown): Answer => ({ status: 200, body: { ErrCode: 0, ErrMsg: 'Success', Resp: resp } })

/** What the page says of each code that is given here. */
const messages: Record<number, string> = {
  10001: 'Invalid API-KEY',
  400011: 'Empty parameter',
  400013: 'Invalid binding request: incorrect parameter type or value',
  400017: 'Invalid parameter',
  400018: 'Prompt/negative prompt length exceeds the limit. Please check if your input is too long.',
  400032: 'Invalid image ID',
  500008: 'Requested data not found',
  500020: 'User does not have permission for this operation',
  500032: 'Invalid image format',
  500044: 'Reached the limit for concurrent generations.',
  500063: 'Text moderation failed: The text you entered contains sensitive information. Please re-enter.',
  500090: 'Insufficient balance. Unable to generate video. Please top up your credits.',
  99999: 'Unknown error',
}
/** A fault is told with 200 of HTTP, unless another status is given. */
export const refused = (code: number, status = 200): Answer => ({
  status,
  body: { ErrCode: code, ErrMsg: messages[code] ?? '', Resp: null },
})

/** Which status comes with a key that isn't taken is not documented: PixVerse's client is ready for 401 as for a code. */
export const badKey = refused(10001, 401)
export const ownFault = refused(99999, 500)

export const refusals: Partial<Record<Reason, Answer>> = {
  invalid_request: refused(400017),
  unauthorized: badKey,
  balance_exhausted: refused(500090),
  forbidden: refused(500020),
  not_found: refused(500008),
  content_rejected: refused(500063),
  input_unreachable: refused(400032),
  too_many_requests: refused(500044),
}

/** Of a second at 720p with audio, which is what the dispatcher's routes name; of any other a number of that form. */
const creditsPerSecond = ({ resolution, generate_audio: audio }: GenerationRequest): number => (resolution === '720p' && audio ? 12 : 9)

/** What it costs is told with the acceptance, and nowhere else. */
export function submittedAnswer(id: string, { request, behaviours }: Pick<Generation, 'request' | 'behaviours'>): Answer {
  const credits = costTold(behaviours, creditsPerSecond(request) * request.duration_seconds)
  return told({ video_id: Number(id), ...(credits !== undefined && { credits }) })
}

const statuses: Record<string, number> = { queued: 5, running: 5, succeeded: 1 }
/** For a word that nobody knows, a number that no page has. */
const unknownStatus = 4
/** 7 is “moderation failed”, 8 “generation failed”. */
const statusOf = ({ status, error }: GenerationView): number => {
  if (error) return error.code === 'output_moderated' ? 7 : 8
  return statuses[status] ?? unknownStatus
}

export const videoAnswer = (view: GenerationView, { request }: Generation): Answer =>
  told({
    ...{
      create_time: view.created_at,
      id: Number(view.id),
      modify_time: view.updated_at,
      negative_prompt: '',
      outputHeight: 0,
      outputWidth: 0,
    },
    ...{ prompt: request.prompt, resolution_ratio: 0, seed: request.seed ?? seedOfNone, size: 0, status: statusOf(view), style: '' },
    ...{ url: view.output_url ?? '', has_audio: request.generate_audio ?? false },
  })
const seedOfNone = 42

export const balanceAnswer = told({ account_id: 1, credit_monthly: 1_000, credit_package: 1_000 })
