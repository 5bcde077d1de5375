import { Failure } from '@filmgate/kit/failure'
import type { Form } from '../../door/read-form'
import type { Reason } from '../../errors'
import { perform, resultOf } from '../acts/perform'
import type { OperateDeps, Operator } from '../door/operator-of'

/** How a review is ended, with the act of each and what it comes to. */
const decisions = {
  accept: ['review_accepted', 'The task goes on under that id: its video is fetched, or its failure told.'],
  refund: ['review_refunded', 'The review is ended: the credits are returned.'],
  retry: ['review_retried', 'It is tried again now. The review ends by what that finds.'],
} as const
export type Decision = keyof typeof decisions

type Asked = { decision: Decision; taskId: string; accountId: string | null }

/** The dispatcher looks an id up at the provider before it takes it. */
const acceptTimeoutMs = 60_000

export function endReview(deps: OperateDeps, operator: Operator, form: Form, { decision, taskId, accountId }: Asked) {
  const [act, done] = decisions[decision]
  const providerTaskId = form.get('provider_task_id')
  if (decision === 'accept' && providerTaskId === '')
    throw new Failure<Reason>('invalid_request', { message: 'Say under which id the provider has it. Nothing was done.' })
  const force = form.get('force') === 'yes'
  const accepted = decision === 'accept' ? { provider_task_id: providerTaskId, ...(force && { force }) } : {}
  return perform(deps, operator, form, { act, subject: taskId, accountId, details: accepted }, async reason => {
    const path = `/reviews/${encodeURIComponent(taskId)}/${decision}`
    const question = { method: 'POST', path, body: { ...accepted, reason }, timeoutMs: acceptTimeoutMs } as const
    return resultOf(await deps.services.ask(operator.person, 'dispatcher', question), () => done)
  })
}
