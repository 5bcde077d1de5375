import type { FormFields } from '../../http/read-form'
import type { OperateDeps, Operator } from '../access/require-operator'
import { type ActionResult, performAction } from '../actions/perform-action'
import { errorMessage, type ServiceResult, serviceNames } from '../services/services'

type Events = { told: string[] }

/**
 * Has every service tell once more what it knows of a task: heals what was lost between them, and changes nothing else.
 */
export const retellTask = (
  deps: OperateDeps,
  operator: Operator,
  form: FormFields,
  { taskId, accountId }: { taskId: string; accountId: string | null },
) => performAction(deps, operator, form, { action: 'task_retold', subject: taskId, accountId }, () => retell(deps, operator, taskId))

/** In the pipeline's order. A service that is silent is told by the others' events. */
export async function retell({ services }: Pick<OperateDeps, 'services'>, { person }: Operator, taskId: string): Promise<ActionResult> {
  const answers: ServiceResult<Events>[] = []
  const path = `/tasks/${encodeURIComponent(taskId)}/retell`
  for (const service of serviceNames) answers.push(await services.ask<Events>(person, service, { method: 'POST', path }))
  const answered = answers.map((told, index) => `${serviceNames[index]}: ${wordsOfRetelling(told)}`).join('; ')
  if (answers.some(({ ok }) => ok)) return { outcome: 'done', answer: `Told again. ${answered}.` }
  return {
    outcome: answers.every(({ status }) => status === 404) ? 'refused' : 'unknown',
    answer: `No service told it again. ${answered}.`,
  }
}

function wordsOfRetelling(told: ServiceResult<Events>): string {
  if (told.ok) return told.value.told.join(', ') || 'nothing to tell'
  return told.status === 404 ? 'does not know the task' : errorMessage(told).replace(/\.$/, '')
}
