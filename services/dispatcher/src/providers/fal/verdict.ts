import type { ProviderAnswer } from '../call'
import type { PollAnswer, SubmitOutcome } from '../connector'
import { generating, queued } from '../mapping/running'
import { billedUnits, withBilled } from '../results/billed'
import { succeededWith } from '../results/videos'
import { verdictByStatus } from '../submit-by-call'
import { acceptedForm, errorTypeOf, type ModelError, modelErrorsOf, outputUrlsOf, type Status, statusForm, wordOf } from './wire'

/** fal's content rules: fal.ai/docs/documentation/model-apis/errors. */
export const moderationWords = ['content_policy_violation'] as const
/** An input's URL gave fal no file. Second-hand: recorded answers, in no document that was read. */
const unreadWords = ['file_download_error', 'image_load_error']

/**
 * How many of its endpoint's units fal charged, on the answer to a result: docs.fal.ai/documentation/serverless/publishing-to-marketplace. A unit
 * is a second at some endpoints and a cent at others; unit_price of api.fal.ai/v1/models/pricing says what it costs.
 */
export const billableUnits = 'x-fal-billable-units'

/** The error_type of a request that was cancelled: fal.ai/docs/documentation/model-apis/request-errors (2026-11-26). */
const cancelled = 'client_cancelled'

/** The answer to the cancel of a request that has ended: fal.ai/docs/inference-api/queue/cancel. */
export const isAlreadyCompleted = ({ status, body }: ProviderAnswer): boolean =>
  status === 400 && statusForm.Check(body) && body.status === 'ALREADY_COMPLETED'

/** Of a completed request: its result is not given out. What that means nobody knows, so that it is for a review. */
const withoutResult = [404, 410]

/** The queue's own words about this call, whatever their form. */
const ofThisCall = [401, 403, 404, 408, 429]

const isModerated = ({ type }: ModelError) => moderationWords.some(one => one === type)
const isUnread = ({ type }: ModelError) => unreadWords.includes(type)
/** Of what was asked of the model; the queue checks its own path and headers in the same form. */
const isOfBody = ({ loc }: ModelError) => loc[0] === undefined || loc[0] === 'body'

/** Beside those that every provider refuses by: fal's documents and its queue's OpenAPI give these to requests that weren't taken up. */
const refusals = [400, 404, 422]

/** What became of a submit. Values are checked by the model's runner, so an accepted one may still be refused later, as a failure. */
export function outcomeOf({ status, body }: ProviderAnswer): SubmitOutcome {
  if (status >= 200 && status < 300)
    return acceptedForm.Check(body)
      ? { outcome: 'accepted', providerTaskId: body.request_id, echoed: false }
      : { outcome: 'unknown', cause: `answered ${status} without an id` }
  const errors = modelErrorsOf(body)
  const cause = `answered ${status} ${errors[0]?.type ?? errorTypeOf(body) ?? 'no code'}`
  const byStatus = verdictByStatus(status, 'json', cause)
  if (byStatus.outcome === 'unknown' && !refusals.includes(status)) return byStatus
  if (errors.some(isModerated)) return { outcome: 'refused', code: 'prompt_rejected', cause }
  const inputsUnread = errors.length > 0 && errors.every(isUnread)
  return { outcome: 'refused', code: 'generation_unavailable', cause, ...(inputsUnread && { inputsUnread }) }
}

/** What a status says by itself; undefined where the result has to be asked for. */
export function runningOf({ status, queue_position: position }: Status): PollAnswer | undefined {
  if (status === 'COMPLETED') return undefined
  if (status === 'IN_QUEUE') return queued(position)
  return status === 'IN_PROGRESS' ? generating() : { status: 'running', unknownWord: status }
}

/** What a completed request came to, and what fal says that it charged for it: a 422 may be billed. */
export function resultOf(status: Status, answer: ProviderAnswer): PollAnswer | undefined {
  const verdict = verdictOf(status, answer)
  return verdict && withBilled(verdict, billedUnits(answer.headers?.[billableUnits]))
}

/**
 * fal has no word for failure: such a request is COMPLETED, and its result is the model's error. It is a
 * failure where the status says so (`error`), or where the answer to the result has the form of a model's error; any other answer says
 * something of this call, not of the generation.
 */
function verdictOf(status: Status, { status: code, body }: ProviderAnswer): PollAnswer | undefined {
  const succeeded = code === 200 ? succeededWith(outputUrlsOf(body)) : undefined
  if (succeeded) return succeeded
  const errors = modelErrorsOf(body)
  if (errors.length > 0 && errors.every(isOfBody) && code >= 400 && !ofThisCall.includes(code)) return failedBy(errors, code)
  if (wordOf(status.error_type) === cancelled || errorTypeOf(body) === cancelled) return { status: 'cancelled', cause: cancelled }
  if (typeof status.error === 'string' && status.error !== '') {
    const words = wordOf(status.error_type) ?? errorTypeOf(body) ?? 'no error_type'
    return { status: 'failed', code: 'generation_failed', cause: `completed with an error: ${words}` }
  }
  if (code === 200) return { status: 'running', unknownWord: 'COMPLETED without a video' }
  return withoutResult.includes(code) ? { status: 'running', unknownWord: `COMPLETED, its result ${code}` } : undefined
}

function failedBy(errors: ModelError[], code: number): PollAnswer {
  const cause = `failed: ${code} ${[...new Set(errors.map(({ type }) => type))].slice(0, 5).join(', ')}`
  if (errors.every(isUnread)) return { status: 'inputs-unread', cause }
  const moderated = errors.filter(isModerated)
  if (moderated.length === 0) return { status: 'failed', code: 'generation_failed', cause }
  // Second-hand: `loc` names the input that was refused, and nothing behind `body` where it was the output.
  return { status: 'failed', code: moderated.every(({ loc }) => loc.length > 1) ? 'prompt_rejected' : 'output_moderated', cause }
}
