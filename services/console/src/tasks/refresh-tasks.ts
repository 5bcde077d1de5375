import type { Actor, Gateway, Page, TaskView } from '../gateway/gateway'

type RefreshInput = { actor: Actor; accountId: string; ids: string[] }

/** The maximum number of tasks on a page. */
export const idsMax = 24

/**
 * The current state of the tasks that a page shows as running: one list request for those still running, and one
 * request for each that has ended.
 */
export async function refreshTasks(gateway: Gateway, { actor, accountId, ids }: RefreshInput): Promise<TaskView[]> {
  const { data } = await gateway.get<Page<TaskView>>(actor, `/accounts/${accountId}/tasks?status=processing&limit=100`)
  const running = new Map(data.map(task => [task.id, task]))
  const ended = ids.filter(id => !running.has(id))
  const found = await Promise.all(ended.map(id => gateway.request<TaskView>(actor, { path: `/accounts/${accountId}/tasks/${id}` })))
  return [...ids.flatMap(id => running.get(id) ?? []), ...found.flatMap(answer => (answer.ok ? [answer.value] : []))]
}
