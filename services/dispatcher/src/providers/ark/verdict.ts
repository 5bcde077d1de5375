import type { ProviderAnswer } from '../call'
import type { PollAnswer, Polled, SubmitOutcome } from '../connector'
import { generating, queued } from '../mapping/running'
import { billedUnits, withBilled } from '../results/billed'
import { verdictByStatus } from '../submit-by-call'
import { type ArkError, acceptedForm, errorIn, errorOf, outputUrlOf, ownIdIn, type Task, thousandTokensOf } from './wire'

const kinds = ['Text', 'Image', 'Video', 'Audio']
/** Ark's content rules: volcengine.com/docs/82379/1299023. After a dot follows which rule it was. */
export const moderationWords: readonly string[] = [
  'SensitiveContentDetected',
  ...['Input', 'Output'].flatMap(side => kinds.map(kind => `${side}${kind}SensitiveContentDetected`)),
  ...['Input', 'Output'].flatMap(side => ['Text', 'Image'].map(kind => `${side}${kind}RiskDetection`)),
]
const isModerated = ({ code }: ArkError) => /SensitiveContent|RiskDetection/.test(code)
const isOfOutput = ({ code }: ArkError) => code.startsWith('Output')

/** Second-hand: answers that others recorded. The code alone says only that a parameter was not valid. */
const isUnread = ({ code, message }: ArkError) => /^InvalidParameter(\.|$)/.test(code) && message.includes('resource download failed')

/** Codes of the same page that say why a request was not taken. What it doesn't have may have been said after a task was made. */
const refusals =
  /^(MissingParameter|InvalidParameter|InvalidArgumentError|InvalidImageURL|InvalidEndpoint|InvalidEndpointOrModel|OutofContextError|ModelNotOpen|UnsupportedModel|NotFound)(\.|$)/

/** What became of a submit. */
export function outcomeOf(attemptId: string, { status, body }: ProviderAnswer): SubmitOutcome {
  if (status >= 200 && status < 300) {
    if (!acceptedForm.Check(body)) return { outcome: 'unknown', cause: `answered ${status} without an id` }
    const own = ownIdIn(body)
    if (own !== null && own !== attemptId) return { outcome: 'unknown', cause: 'answered about another id of ours' }
    return { outcome: 'accepted', providerTaskId: body.id, echoed: own === attemptId }
  }
  const error = errorIn(body)
  const cause = `answered ${status} ${error?.code ?? 'no code'}`
  const isRefusal = error && (isModerated(error) || refusals.test(error.code))
  const isOfCaller = status >= 400 && status < 500 && ![408, 409, 499].includes(status)
  if (!isOfCaller || !isRefusal) return verdictByStatus(status, 'json', cause)
  if (isModerated(error)) return { outcome: 'refused', code: 'prompt_rejected', cause }
  return { outcome: 'refused', code: 'generation_unavailable', cause, ...(isUnread(error) && { inputsUnread: true }) }
}

/** What a list says of one attempt, and how many thousand tokens it took; `task` is undefined where it isn't in it. */
export function answerOf({ attemptId, echoed }: Polled, task: Task | undefined): PollAnswer {
  if (!task) return { status: 'missing' }
  // An id that leads to somebody else's task is as good as none.
  const own = ownIdIn(task)
  if (own === null ? echoed : own !== attemptId) return { status: 'missing' }
  return withBilled(verdictOf(task), billedUnits(thousandTokensOf(task)))
}

function verdictOf(task: Task): PollAnswer {
  switch (task.status) {
    case 'queued':
      return queued()
    case 'running':
      return generating()
    case 'succeeded': {
      const outputUrl = outputUrlOf(task)
      return outputUrl ? { status: 'succeeded', outputUrl } : { status: 'running', unknownWord: 'succeeded without a URL' }
    }
    case 'failed':
      return failedBy(errorOf(task.error))
    // Taken out of the queue by somebody with our key, or ended by Ark because it was not done in time.
    case 'cancelled':
    case 'expired':
      return { status: 'failed', code: 'generation_failed', cause: `failed: ${task.status}` }
    default:
      return { status: 'running', unknownWord: task.status }
  }
}

function failedBy(error: ArkError | undefined): PollAnswer {
  const cause = `failed: ${error?.code ?? 'no code'}`
  if (error && isUnread(error)) return { status: 'inputs-unread', cause }
  if (!error || !isModerated(error)) return { status: 'failed', code: 'generation_failed', cause }
  return { status: 'failed', code: isOfOutput(error) ? 'output_moderated' : 'prompt_rejected', cause }
}
