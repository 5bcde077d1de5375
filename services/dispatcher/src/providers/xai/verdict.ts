import { type ProviderAnswer, ProviderTrouble } from '../call'
import type { PollAnswer, SubmitOutcome } from '../connector'
import { generating } from '../mapping/running'
import { billedUsd, withBilled } from '../results/billed'
import { verdictByStatus } from '../submit-by-call'
import { costUsdOf, errorOf, outputUrlOf, type Result, resultOf, startedForm, type XaiError } from './wire'

/** A withheld video has `respect_moderation: false`; the others stand in errors, in no document (recorded answers, many). */
export const moderationWords = [
  'respect_moderation',
  'imagine:content-moderated',
  'rejected by content moderation',
  'violates usage guidelines',
] as const
const isModerated = ({ code, text }: XaiError): boolean => moderationWords.some(word => code === word || text.includes(word))

/** docs.x.ai/developers/debugging: what is wrong with a request or its key, or that there are too many, so that nothing was begun. */
const refusals = [400, 401, 403, 404, 405, 415, 422, 429]

/** What became of a submit. */
export function outcomeOf({ status, body }: ProviderAnswer): SubmitOutcome {
  if (status >= 200 && status < 300)
    return startedForm.Check(body)
      ? { outcome: 'accepted', providerTaskId: body.request_id, echoed: false }
      : { outcome: 'unknown', cause: `answered ${status} without an id` }
  const error = errorOf(body)
  const cause = `answered ${status} ${error?.code ?? 'no code'}`
  if (!error || !refusals.includes(status)) return verdictByStatus(status, 'json', cause)
  return { outcome: 'refused', code: isModerated(error) ? 'prompt_rejected' : 'generation_unavailable', cause }
}

/** What one request is told to be, and what xAI says that it charged: for what was withheld, too. */
export const answerOf = (answer: ProviderAnswer): PollAnswer => withBilled(verdictIn(answer), billedUsd(costUsdOf(answer.body)))

/** 202 is “still in progress”, whatever stands in its body; 404 that xAI knows no such request. */
function verdictIn({ status, body }: ProviderAnswer): PollAnswer {
  if (status === 202) return generating(progressOf(body))
  const error = errorOf(body)
  if (status === 404 && error) return { status: 'missing' }
  // Second-hand, by many: a withheld video may be told so. Any other 400 is about this call, and may pass.
  if (status === 400 && error && isModerated(error)) return withheld('400')
  const result = status === 200 ? resultOf(body) : undefined
  if (!result) throw new ProviderTrouble(`answered ${status} ${error?.code ?? 'no code'} to a status`, true)
  return verdictOf(result)
}

/** In percent, where it is told: it is beside `pending`, and the body may be empty. */
const progressOf = (body: unknown): unknown => (typeof body === 'object' && body !== null && 'progress' in body ? body.progress : undefined)

/**
 * It is complete where it has a URL, and in no other way: `status` and `video` may be there without one. `expired` is no end that we know: it is
 * also said of a video that was made and is past its time.
 */
function verdictOf(result: Result): PollAnswer {
  const { status, video, block_reason: reason } = result
  if (status === 'pending') return generating(progressOf(result))
  if (status === 'failed') return failedBy(result)
  if (typeof status === 'string' && status !== 'done') return { status: 'running', unknownWord: status }
  const isDone = status === 'done'
  if (isDone && video?.respect_moderation === false) return withheld('done')
  const outputUrl = outputUrlOf(result)
  if (outputUrl) return { status: 'succeeded', outputUrl }
  if (isDone && typeof reason === 'string' && reason !== '')
    return { status: 'failed', code: 'prompt_rejected', cause: 'done with a block_reason' }
  return { status: 'running', unknownWord: isDone ? 'done without a URL' : 'no status' }
}

function failedBy(result: Result): PollAnswer {
  const error = errorOf(result)
  if (error && isModerated(error)) return withheld('failed')
  return { status: 'failed', code: 'generation_failed', cause: `failed: ${error?.code ?? 'no code'}` }
}

const withheld = (by: string): PollAnswer => ({ status: 'failed', code: 'output_moderated', cause: `withheld: ${by}` })
