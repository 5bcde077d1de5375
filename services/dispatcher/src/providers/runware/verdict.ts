import { type ProviderAnswer, ProviderTrouble } from '../call'
import type { PollAnswer, SubmitOutcome } from '../connector'
import { generating } from '../mapping/running'
import { billedUsd, withBilled } from '../results/billed'
import { succeededWith, videoUrlsIn } from '../results/videos'
import { verdictByStatus } from '../submit-by-call'
import { codeOf, readItems, type TaskItems } from './wire'

/** Codes by which the content was refused: SAFETY_CODES of Runware's own client (Runware/runware-typescript 1.6.8, src/errors.ts). */
export const moderationWords = [
  'contentPolicyViolation',
  'providerContentPolicyViolation',
  'sensitiveContentDetected',
  'unsafeContentDetected',
  'nsfwContentDetected',
  'promptBlocked',
  'imageBlocked',
  'moderationFailed',
] as const
const isModerated = (code: string): boolean => (moderationWords as readonly string[]).includes(code)
/** Those of them that name what a video was to be made of. */
const isOfInput = (code: string): boolean => code === 'promptBlocked' || code === 'imageBlocked'

/** A task was sent under this id before, and was taken: runware 0.5.24 takes it so when it repeats a submit (base.py, _retry_with_reconnect). */
const taken = 'conflictTaskUUID'
/**
 * Codes of Runware's own faults (the same client's SERVER_ERROR_CODES, and what it takes for a time-out), and of a generation that was begun: the
 * task may have been taken.
 */
const ownFault =
  /timeout|^provider|^(internalServerError|serviceUnavailable|serverUnavailable|standardError|unknownError|undefinedError|defaultError|unrecognizedResponse|errorRetrievingAccountManagement|inferenceError|taskFailed|processingFailed)/i
/** Codes of the same client that are about a call, or about what isn't there, and never about how a generation ended. */
const ofThisCall = /NotFound$|Expired$|^rateLimit|ApiKey$|^(unauthorized|forbidden|authentication)/i
/** Statuses that refuse a call whatever stands in them: who asks, and how often. */
const refusedCalls = [401, 403, 429]

/** What a submit came to. An error is of this task where it names it, or names none: only one was sent. */
export function outcomeOf(taskUuid: string, { status, body }: ProviderAnswer): SubmitOutcome {
  const told = readItems(body)
  const accepted: SubmitOutcome = { outcome: 'accepted', providerTaskId: taskUuid, echoed: true }
  const errors = told?.errors.filter(({ taskUUID }) => taskUUID === undefined || taskUUID === taskUuid) ?? []
  if (errors.some(({ code, taskUUID }) => code === taken && taskUUID === taskUuid)) return accepted
  const isSuccess = status >= 200 && status < 300
  if (isSuccess && told?.items.some(item => item.taskUUID === taskUuid && item.status !== 'error')) return accepted
  const cause = `answered ${status} ${errors[0]?.code ?? 'no code'}`
  const mayBeTaken = errors.some(({ code }) => code === taken || (ownFault.test(code) && !isModerated(code)))
  const isAboutMore = told !== undefined && (!told.whole || told.items.length > 0 || told.errors.length > errors.length)
  const isRefusal = errors.length > 0 && status >= 400 && status < 500 && ![408, 409, 499].includes(status)
  // Which status comes with an error of one task is not documented: an error that names the task is believed with 200 too.
  const isNamed = isSuccess && errors.some(({ taskUUID }) => taskUUID === taskUuid)
  if (mayBeTaken || isAboutMore) return { outcome: 'unknown', cause }
  if (!isRefusal && !isNamed) return verdictByStatus(status, 'json', cause)
  return { outcome: 'refused', code: errors.some(error => isModerated(error.code)) ? 'prompt_rejected' : 'generation_unavailable', cause }
}

/** What was told of one task; undefined where nothing was, which is said of one that it never saw as of one that it has not begun. */
export function toldOf(taskUuid: string, { status, body }: ProviderAnswer): PollAnswer | undefined {
  const told = readItems(body)
  if (!told || refusedCalls.includes(status) || status >= 500) throw new ProviderTrouble(`answered ${status} to getResponse`, true)
  const verdict = itemOf(taskUuid, told) ?? failureOf(taskUuid, told)
  if (verdict) return verdict
  const isEmpty = status === 200 && told.whole && told.items.length === 0 && told.errors.length === 0
  if (!isEmpty) throw new ProviderTrouble(`answered ${status} ${told.errors[0]?.code ?? 'about another task'} to getResponse`, true)
  return undefined
}

/** A failed generation is among the errors, with `status` and its id; one without is about this call alone. */
function failureOf(taskUuid: string, { items, errors }: TaskItems): PollAnswer | undefined {
  const error = errors.find(one => one.taskUUID === taskUuid && one.status === 'error')
  const item = items.find(one => one.taskUUID === taskUuid && one.status === 'error')
  const code = error?.code ?? (item && codeOf(item))
  if (code === undefined || ofThisCall.test(code)) return undefined
  const cause = `failed: ${code}`
  const billed = billedUsd((error ?? item)?.cost)
  if (!isModerated(code)) return withBilled({ status: 'failed', code: 'generation_failed', cause }, billed)
  return withBilled({ status: 'failed', code: isOfInput(code) ? 'prompt_rejected' : 'output_moderated', cause }, billed)
}

/** A video, or what runs, before a failure that is told beside it. */
function itemOf(taskUuid: string, { items }: TaskItems): PollAnswer | undefined {
  const own = items.filter(one => one.taskUUID === taskUuid && one.status !== 'error')
  const item = own.find(one => one.status === 'success') ?? own[0]
  if (!item) return undefined
  if (item.status === 'success') {
    const succeeded = succeededWith(
      videoUrlsIn(
        own.filter(one => one.status === 'success'),
        'videoURL',
      ),
    )
    return succeeded ? withBilled(succeeded, billedUsd(item.cost)) : { status: 'running', unknownWord: 'success without a URL' }
  }
  return item.status === 'processing' ? generating(item.progress) : { status: 'running', unknownWord: item.status ?? 'no status' }
}
