import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../../errors'
import type { Actor, Gateway, Page, TaskView } from '../../gateway/gateway'

type RefreshInput = { actor: Actor; accountId: string; ids: string[] }

/** The maximum number of tasks on a page. */
const idsMax = 24
/** The gateway takes no longer ones. */
const taskId = /^[A-Za-z0-9_-]{1,64}$/

/** The current state of the tasks that a page shows as running, with one request. Ids that no task has are left out. */
export async function refreshTasks(gateway: Gateway, { actor, accountId, ids: asked }: RefreshInput): Promise<TaskView[]> {
  const ids = asked.filter(id => taskId.test(id)).slice(0, idsMax)
  if (ids.length === 0) return []
  const body = { tasks: ids.map(id => ({ account_id: accountId, task_id: id })) }
  const answer = await gateway.request<Pick<Page<TaskView>, 'data'>>(actor, { method: 'POST', path: '/tasks/states', body })
  if (!answer.ok) throw new Failure<Reason>('service_unavailable', { internal: answer.message })
  const found = new Map(answer.value.data.map(task => [task.id, task]))
  return ids.flatMap(id => found.get(id) ?? [])
}
