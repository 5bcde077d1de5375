import { PublishedEvents } from '@filmgate/proto/operator/task'
import type { Form } from '../../door/read-form'
import { perform, type Result } from '../acts/perform'
import type { OperateDeps, Operator } from '../door/operator-of'
import { serviceNames, type Told, wordsOf } from '../services/services'

/** Has every service tell once more what it knows of a task: heals what was lost between them, and changes nothing else. */
export const retellTask = (
  deps: OperateDeps,
  operator: Operator,
  form: Form,
  { taskId, accountId }: { taskId: string; accountId: string | null },
) => perform(deps, operator, form, { act: 'task_retold', subject: taskId, accountId }, () => retell(deps, operator, taskId))

/** In the pipeline's order. A service that is silent is told by the others' events. */
export async function retell({ services }: Pick<OperateDeps, 'services'>, { person }: Operator, taskId: string): Promise<Result> {
  const answers: Told<PublishedEvents>[] = []
  const path = `/tasks/${encodeURIComponent(taskId)}/retell`
  const question = { answer: PublishedEvents, method: 'POST', path } as const
  for (const service of serviceNames) answers.push(await services.ask(person, service, question))
  const answered = answers.map((told, index) => `${serviceNames[index]}: ${wordsOfRetelling(told)}`).join('; ')
  if (answers.some(({ ok }) => ok)) return { outcome: 'done', answer: `Told again. ${answered}.` }
  return {
    outcome: answers.every(({ status }) => status === 404) ? 'refused' : 'unknown',
    answer: `No service told it again. ${answered}.`,
  }
}

function wordsOfRetelling(told: Told<PublishedEvents>): string {
  if (told.ok) return told.value.told.join(', ') || 'nothing to tell'
  return told.status === 404 ? 'does not know the task' : wordsOf(told).replace(/\.$/, '')
}
