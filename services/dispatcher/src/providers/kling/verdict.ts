import type { ProviderAnswer } from '../call'
import type { PollAnswer, Polled, SubmitOutcome } from '../connector'
import { generating, queued } from '../mapping/running'
import { billedUnits, withBilled } from '../results/billed'
import { succeededWith } from '../results/videos'
import { verdictByStatus } from '../submit-by-call'
import { acceptedForm, envelopeOf, externalIdOf, messageOf, outputUrlsOf, type Task, unitsOf } from './wire'

/** “Trigger the platform's content security policy”: kling.ai/document-api/api/get-started/error-codes. */
const contentRefused = 1301
/** Second-hand, by many: the message of a task that the content rules ended, by what was given or by what was made. */
const withheld = 'Failure to pass the risk control system'
export const moderationWords = [String(contentRefused), withheld] as const
/** Second-hand: the message of a task whose input could not be fetched. */
const unread = 'Something went wrong when we tried to get the contents of the file'

/** Codes of that page by which nothing was made: of who asks, of the account, of what is asked, of rules and rates. */
const refusals = [
  ...[1000, 1001, 1002, 1003, 1004, 1100, 1101, 1102, 1103],
  ...[1200, 1201, 1202, 1203, 1300, contentRefused, 1302, 1303, 1304],
]

/** 1201 is every fault of a value, and also an external_task_id that was sent before (seen live): then its task may be there. */
const isSentBefore = (code: number, message: unknown): boolean =>
  code === 1201 && typeof message === 'string' && /already exist|duplicate|unique|repeat|已存在|重复/i.test(message)

/** What a submit came to. 5000 to 5002 are Kling's own faults, 5002 a time-out behind which the task may still be made. */
export function outcomeOf(attemptId: string, { status, body }: ProviderAnswer): SubmitOutcome {
  const envelope = envelopeOf(body)
  if (!envelope) return verdictByStatus(status, 'json', `answered ${status} no code`)
  const { code, data, message } = envelope
  const cause = `answered ${status} ${code}`
  const isSuccess = status >= 200 && status < 300
  if (code === 0) return isSuccess ? accepted(attemptId, data, cause) : { outcome: 'unknown', cause }
  const isRefusal = isSuccess || (status >= 400 && status < 500 && ![408, 409, 499].includes(status))
  if (!isRefusal || !refusals.includes(code)) return { outcome: 'unknown', cause }
  if (isSentBefore(code, message)) return { outcome: 'unknown', cause: `${cause}: our id was sent before` }
  return { outcome: 'refused', code: code === contentRefused ? 'prompt_rejected' : 'generation_unavailable', cause }
}

function accepted(attemptId: string, data: unknown, cause: string): SubmitOutcome {
  if (!acceptedForm.Check(data)) return { outcome: 'unknown', cause: `${cause} without an id` }
  const echo = externalIdOf(data)
  if (echo !== null && echo !== attemptId) return { outcome: 'unknown', cause: 'answered about another id of ours' }
  return { outcome: 'accepted', providerTaskId: data.id, echoed: echo === attemptId }
}

export function answerOf({ attemptId, echoed }: Polled, task: Task): PollAnswer {
  // An id that leads to somebody else's task is as good as none.
  const echo = externalIdOf(task)
  if (echo === null ? echoed : echo !== attemptId) return { status: 'missing' }
  return withBilled(verdictOf(task), billedUnits(unitsOf(task)))
}

function verdictOf(task: Task): PollAnswer {
  switch (task.status) {
    case 'submitted':
      return queued()
    case 'processing':
      return generating()
    case 'succeeded':
      return succeededWith(outputUrlsOf(task)) ?? { status: 'running', unknownWord: 'succeeded without a video' }
    case 'failed':
      return failedBy(messageOf(task))
    // Not `succeed` either: that is the word of the generation before, whose tasks hold their video elsewhere.
    default:
      return { status: 'running', unknownWord: task.status }
  }
}

function failedBy(message: string): PollAnswer {
  const cause = `failed: ${message}`
  if (message.startsWith(unread)) return { status: 'inputs-unread', cause }
  return { status: 'failed', code: message.startsWith(withheld) ? 'output_moderated' : 'generation_failed', cause }
}
