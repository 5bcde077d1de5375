import { type ProviderAnswer, ProviderTrouble } from '../call'
import type { PollAnswer, SubmitOutcome } from '../connector'
import { generating, queued } from '../mapping/running'
import { billedUnits, withBilled } from '../results/billed'
import { succeededWith, videoUrlsIn } from '../results/videos'
import { verdictByStatus } from '../submit-by-call'
import { acceptedForm, reasonOf, type Task, taskForm, wordOf } from './wire'

/** Reasons and err_codes by which content was refused: platform.vidu.com/docs/error-code, and its twin at platform.vidu.cn for the second. */
export const moderationWords = ['AuditSubmitIllegal', 'TaskPromptPolicyViolation', 'CreationPolicyViolation'] as const
/** Those of them about what a video was to be made of. */
const ofInput = ['AuditSubmitIllegal', 'TaskPromptPolicyViolation']
/** The address of an input gave Vidu no image. */
const unread = 'ImageDownloadFailure'

/** Reasons after which something may run or have run, whatever the status (the same page): “request is being processed” is the first. */
const mayRun = ['OperationInProcess', 'UserCancelled', 'CreationPolicyViolation']
/** Reasons of a 400 that say what is wrong with the submit itself, so that no task was made of it (the same page). */
const ofSubmit = [
  ...[
    'BadRequest',
    'FieldLacking',
    'FieldUnwanted',
    'FieldInvalid',
    'FieldItemCountOutOfRange',
    'PageSizeOutOfRange',
    'ImageFormatInvalid',
  ],
  ...['ImageCheckBodyJointsFailed', 'ImageCheckFaceFailed', 'ImageObjectsUndetected', 'ModelUnavailable', 'CreditInsufficient'],
  ...[unread, ...ofInput],
]
/** The same page: no such path, whatever its reason. */
const noSuchPath = 404

/** What became of a submit. The answer repeats our id as `payload`. */
export function outcomeOf(attemptId: string, { status, body }: ProviderAnswer): SubmitOutcome {
  if (status >= 200 && status < 300) {
    if (!acceptedForm.Check(body)) return { outcome: 'unknown', cause: `answered ${status} without an id` }
    const { task_id: providerTaskId, payload = '' } = body
    if (payload !== '' && payload !== attemptId) return { outcome: 'unknown', cause: 'answered about another id of ours' }
    return { outcome: 'accepted', providerTaskId, echoed: payload === attemptId }
  }
  const reason = reasonOf(body)
  const cause = `answered ${status} ${reason ?? 'no reason'}`
  const isOfSubmit = status === 400 && reason !== undefined && ofSubmit.includes(reason)
  const isRefusal = isOfSubmit || (status === noSuchPath && reason !== undefined)
  const isCertain = reason === undefined || !mayRun.includes(reason)
  if (!isRefusal && !(isCertain && verdictByStatus(status, 'json', cause).outcome === 'refused')) return { outcome: 'unknown', cause }
  const code = reason !== undefined && ofInput.includes(reason) ? 'prompt_rejected' : 'generation_unavailable'
  return { outcome: 'refused', code, cause, ...(reason === unread && { inputsUnread: true }) }
}

/** error-code: “User manually terminated task execution.” */
const cancelled = 'UserCancelled'
/** cancel-generation (2026-11-26): “task state is scheduled, can not cancel”. */
export const isCancelRefused = ({ status, body }: ProviderAnswer): boolean => status === 400 && reasonOf(body) === 'BadRequest'

/** A task by its id; undefined where Vidu knows none. */
export function taskOf(providerTaskId: string, { status, body }: ProviderAnswer): Task | undefined {
  if (status === 404 && reasonOf(body) === 'TaskNotFound') return undefined
  if (status !== 200 || !taskForm.Check(body))
    throw new ProviderTrouble(`answered ${status} ${reasonOf(body) ?? 'no reason'} to a task`, true)
  if (body.id !== undefined && body.id !== providerTaskId) throw new ProviderTrouble('answered about another task', true)
  return body
}

/** What became of a task, and how many credits Vidu says that it took. */
export const answerOf = (task: Task): PollAnswer => withBilled(verdictOf(task), billedUnits(task.credits))

function verdictOf(task: Task): PollAnswer {
  const { state, err_code: code } = task
  if (state === 'success')
    return succeededWith(videoUrlsIn(task.creations, 'url')) ?? { status: 'running', unknownWord: 'success without a URL' }
  if (state === 'failed') return failedBy(wordOf(code))
  if (state === 'created' || state === 'queueing') return queued()
  return state === 'processing' ? generating() : { status: 'running', unknownWord: state }
}

function failedBy(code: string | undefined): PollAnswer {
  const cause = `failed: ${code ?? 'no err_code'}`
  if (code === cancelled) return { status: 'cancelled', cause }
  if (code === unread) return { status: 'inputs-unread', cause }
  if (!moderationWords.some(word => word === code)) return { status: 'failed', code: 'generation_failed', cause }
  return { status: 'failed', code: ofInput.some(word => word === code) ? 'prompt_rejected' : 'output_moderated', cause }
}
