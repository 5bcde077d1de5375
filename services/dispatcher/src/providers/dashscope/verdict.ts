import type { ProviderAnswer } from '../call'
import type { PollAnswer, SubmitOutcome } from '../connector'
import { generating, queued } from '../mapping/running'
import { billedUnits, withBilled } from '../results/billed'
import { verdictByStatus } from '../submit-by-call'
import { acceptedForm, type Fault, faultOf, outputUrlOf, secondsOf, type Task } from './wire'

/** Content rules: help.aliyun.com/zh/model-studio/error-code. Some of its hosts write the same codes as data_inspection_failed. */
export const moderationWords = ['DataInspectionFailed', 'IPInfringementSuspect', 'CustomRoleBlocked', 'FaqRuleBlocked'] as const

const folded = (code: string): string => code.replaceAll('_', '').toLowerCase()
/** `DataInspectionFailed.Input` too (second-hand). */
const isOneOf = (codes: readonly string[], code: string): boolean =>
  codes.some(one => folded(code) === folded(one) || folded(code).startsWith(`${folded(one)}.`))

const isModerated = ({ code }: Fault): boolean => isOneOf(moderationWords, code)

/** It says of what it refused in words alone: “Input data may contain …”, “Output data may …”, “Input or output data may …”. */
const isOfInput = ({ code, message }: Fault): boolean =>
  isOneOf(['IPInfringementSuspect', 'DataInspectionFailed.Input'], code) || /^input\b(?! or)/i.test(message)

/** It could not read a file at the address that it was given: the same page. */
const unreadCodes = [
  ...['InvalidURL.ConnectionRefused', 'InvalidURL.Timeout', 'BadRequest.InputDownloadFailed'],
  'InvalidParameter.DataInspection',
]
const unreadWords = /^((unable to )?download the media resource|failed to download (multimodal content|input files|the input file))\b/i
const isUnread = ({ code, message }: Fault): boolean => isOneOf(unreadCodes, code) || unreadWords.test(message)

/** Its own faults: whatever their status is, the task may have been taken. */
const ownFault = /^(internal|system)_?error|timeout|unavailable/i

/**
 * What became of a submit. Only the key, the model and the account are looked at before a task is made (second-hand: tried by others), so
 * that values and content are mostly refused as a failure of the task.
 */
export function outcomeOf({ status, body }: ProviderAnswer): SubmitOutcome {
  const isTaken = acceptedForm.Check(body)
  if (status >= 200 && status < 300 && isTaken) return { outcome: 'accepted', providerTaskId: body.output.task_id, echoed: false }
  const fault = faultOf(body)
  const cause = `answered ${status} ${fault?.code ?? 'no code'}`
  const isRefusal = status >= 400 && status < 500 && ![408, 409, 499].includes(status)
  if (isTaken) return { outcome: 'unknown', cause }
  if (!fault || !isRefusal) return verdictByStatus(status, 'json', cause)
  const inputsUnread = isUnread(fault)
  if (!inputsUnread && ownFault.test(fault.code)) return { outcome: 'unknown', cause }
  if (isModerated(fault)) return { outcome: 'refused', code: 'prompt_rejected', cause }
  return { outcome: 'refused', code: 'generation_unavailable', cause, ...(inputsUnread && { inputsUnread }) }
}

/** manage-asynchronous-tasks (2026-11-26): only what is PENDING is canceled. */
export const isNotPending = ({ status, body }: ProviderAnswer): boolean => status === 400 && faultOf(body)?.code === 'UnsupportedOperation'

/** What became of a task, and how many seconds of video DashScope says that it took. */
export const toldOf = (task: Task): PollAnswer => withBilled(verdictOf(task), billedUnits(secondsOf(task)))

/** UNKNOWN comes with 200 for an id that was never given, for one a day after its end, and for a status that it can't tell. */
function verdictOf(task: Task): PollAnswer {
  const { task_status: word } = task.output
  if (word === 'UNKNOWN') return { status: 'missing' }
  if (word === 'FAILED') return failedBy(faultOf(task) ?? faultOf(task.output))
  if (word === 'CANCELED') return { status: 'cancelled', cause: 'canceled there' }
  // SUSPENDED is in dashscope 2.0.2 (TaskStatus), and in no page.
  if (word === 'PENDING' || word === 'SUSPENDED') return queued()
  if (word === 'RUNNING') return generating()
  if (word !== 'SUCCEEDED') return { status: 'running', unknownWord: word }
  const outputUrl = outputUrlOf(task)
  return outputUrl ? { status: 'succeeded', outputUrl } : { status: 'running', unknownWord: 'SUCCEEDED without a URL' }
}

/** A task may fail without saying why. */
function failedBy(fault: Fault = { code: 'no code', message: '' }): PollAnswer {
  const cause = `failed: ${fault.code}`
  if (isUnread(fault)) return { status: 'inputs-unread', cause }
  if (!isModerated(fault)) return { status: 'failed', code: 'generation_failed', cause }
  return { status: 'failed', code: isOfInput(fault) ? 'prompt_rejected' : 'output_moderated', cause }
}
