import { PublishedEvents } from '@filmgate/proto/operator/task'
import type { FormFields } from '../../http/read-form'
import type { OperateDeps, Operator } from '../access/require-operator'
import { type ActionResult, performAction } from '../actions/perform-action'
import { errorMessage, type ServiceResult, serviceNames } from '../services/services'

/**
 * Has every service publish a task's events again, from its own rows: heals what was lost between them, and changes
 * nothing else.
 */
export const replayTask = (
  deps: OperateDeps,
  operator: Operator,
  form: FormFields,
  { taskId, accountId }: { taskId: string; accountId: string | null },
) => performAction(deps, operator, form, { action: 'task_replayed', subject: taskId, accountId }, () => replay(deps, operator, taskId))

/** In the pipeline's order. The others' events reach later a service that doesn't answer. */
export async function replay({ services }: Pick<OperateDeps, 'services'>, { person }: Operator, taskId: string): Promise<ActionResult> {
  const answers: ServiceResult<PublishedEvents>[] = []
  const path = `/tasks/${encodeURIComponent(taskId)}/replay`
  for (const service of serviceNames) answers.push(await services.ask(person, service, { answer: PublishedEvents, method: 'POST', path }))
  const answered = answers.map((answer, index) => `${serviceNames[index]}: ${answerOf(answer)}`).join('; ')
  if (answers.some(({ ok }) => ok)) return { outcome: 'done', answer: `Replayed. ${answered}.` }
  return {
    outcome: answers.every(({ status }) => status === 404) ? 'refused' : 'unknown',
    answer: `No service replayed it. ${answered}.`,
  }
}

function answerOf(answer: ServiceResult<PublishedEvents>): string {
  if (answer.ok) return answer.value.published.join(', ') || 'nothing'
  return answer.status === 404 ? 'does not know the task' : errorMessage(answer).replace(/\.$/, '')
}
