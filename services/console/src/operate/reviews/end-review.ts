import { Failure } from '@filmgate/kit/failure'
import { EndedReview } from '@filmgate/proto/operator/review'
import type { Reason } from '../../errors'
import type { FormFields } from '../../http/read-form'
import type { OperateDeps, Operator } from '../access/require-operator'
import { actionResult, performAction } from '../actions/perform-action'

/** The ways to end a review, with the action of each and its message. */
const decisions = {
  accept: ['review_accepted', 'The task continues under this id.'],
  refund: ['review_refunded', 'The review has ended. The credits are refunded.'],
  retry: ['review_retried', 'The retry has started. Its result ends the review.'],
} as const
export type Decision = keyof typeof decisions

type EndReviewInput = { decision: Decision; taskId: string; accountId: string | null }

/** The dispatcher looks up the id at the provider before it accepts it. */
const acceptTimeoutMs = 60_000

export function endReview(deps: OperateDeps, operator: Operator, form: FormFields, { decision, taskId, accountId }: EndReviewInput) {
  const [action, message] = decisions[decision]
  const providerTaskId = form.get('provider_task_id')
  if (decision === 'accept' && providerTaskId === '')
    throw new Failure<Reason>('invalid_request', { message: 'Enter the provider’s task id. Nothing was done.' })
  const force = form.get('force') === 'yes'
  const accepted = decision === 'accept' ? { provider_task_id: providerTaskId, ...(force && { force }) } : {}
  return performAction(deps, operator, form, { action, subject: taskId, accountId, details: accepted }, async reason => {
    const path = `/reviews/${encodeURIComponent(taskId)}/${decision}`
    const body = { ...accepted, reason }
    const serviceRequest = { answer: EndedReview, method: 'POST', path, body, timeoutMs: acceptTimeoutMs } as const
    return actionResult(await deps.services.ask(operator.person, 'dispatcher', serviceRequest), () => message)
  })
}
