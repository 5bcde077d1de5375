import { DispatcherTask } from '@filmgate/proto/operator/attempt'
import { LedgerTask } from '@filmgate/proto/operator/books'
import { GatewayTask, PublishedEvents } from '@filmgate/proto/operator/task'
import type { FormFields } from '../../http/read-form'
import type { OperateDeps, Operator } from '../access/require-operator'
import { type ActionResult, actionResult, performAction } from '../actions/perform-action'
import { errorMessage, type Service, type ServiceResult } from '../services/services'
import { replay } from './replay'

type ReleaseInput = { taskId: string; accountId: string | null }

/** Ends a task that stands still and that nothing can heal: its credits and its key are free. */
export const releaseTask = (deps: OperateDeps, operator: Operator, form: FormFields, { taskId, accountId }: ReleaseInput) =>
  performAction(deps, operator, form, { action: 'task_released', subject: taskId, accountId }, reason =>
    release(deps, operator, taskId, reason),
  )

const decided = ['settled', 'refunded', 'refund_pending']

/**
 * What the services know of the task decides how: one without a reservation is declined at the ledger, one without an
 * attempt is refused at the dispatcher, what has ended is only replayed. Each of these may be repeated. Nothing is done
 * while one of the three is silent.
 */
async function release(deps: OperateDeps, operator: Operator, taskId: string, reason: string): Promise<ActionResult> {
  const path = `/tasks/${encodeURIComponent(taskId)}`
  const [gateway, ledger, dispatcher] = await Promise.all([
    deps.services.ask(operator.person, 'gateway', { answer: GatewayTask, path }),
    deps.services.ask(operator.person, 'ledger', { answer: LedgerTask, path }),
    deps.services.ask(operator.person, 'dispatcher', { answer: DispatcherTask, path }),
  ])
  for (const told of [gateway, ledger, dispatcher]) if (!told.ok && told.status !== 404) return refused(errorMessage(told))
  const task = known(gateway)?.task
  const { reservation = null, declined = null } = known(ledger) ?? {}
  const states = known(dispatcher)?.attempts.map(({ state }) => state) ?? []

  if (declined || (reservation && decided.includes(reservation.state)))
    return replayed(deps, operator, taskId, `Nothing was to end: the ledger has decided (${reservation?.state ?? 'declined'}).`)
  if (reservation && states.at(-1) === 'completed') return replayed(deps, operator, taskId, 'Nothing was to end: the video was made.')
  const end = async (service: Service, body: object, done: string) =>
    actionResult(
      await deps.services.ask(operator.person, service, {
        answer: PublishedEvents,
        method: 'POST',
        path: `/tasks/${encodeURIComponent(taskId)}/release`,
        body,
      }),
      ({ published }) => `${done} Published: ${published.join(', ') || 'nothing'}.`,
    )
  if (reservation)
    return end(
      'dispatcher',
      { account_id: reservation.account_id, model: task?.model ?? '', reason },
      'Refused at the dispatcher: its credits are returned.',
    )
  if (!task) return refused('Neither the gateway nor the ledger knows this task: there is nothing to end.')
  if (states.length > 0) return refused('The dispatcher has an attempt of it and the ledger no reservation: audit the books first.')
  return end(
    'ledger',
    { account_id: task.accountId, admit_by: new Date(task.admitBy).toISOString(), reason },
    'Declined at the ledger: nothing was reserved, and its key is free.',
  )
}

async function replayed(deps: OperateDeps, operator: Operator, taskId: string, words: string): Promise<ActionResult> {
  const { outcome, answer } = await replay(deps, operator, taskId)
  return { outcome, answer: `${words} ${answer}` }
}

const refused = (answer: string): ActionResult => ({ outcome: 'refused', answer })
const known = <T>(told: ServiceResult<T>): T | undefined => (told.ok ? told.value : undefined)
