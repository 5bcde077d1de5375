import type { Actor, Gateway, Page, TaskView } from '../gateway/gateway'

type Asked = { actor: Actor; accountId: string; ids: string[] }

/** More are not shown on a page. */
export const idsMax = 24

/** Tasks that a page shows as running, as they are now: one list for those that still run, and a question for each that has ended since. */
export async function findChanged(gateway: Gateway, { actor, accountId, ids }: Asked): Promise<TaskView[]> {
  const { data } = await gateway.get<Page<TaskView>>(actor, `/accounts/${accountId}/tasks?status=processing&limit=100`)
  const running = new Map(data.map(task => [task.id, task]))
  const ended = ids.filter(id => !running.has(id))
  const found = await Promise.all(ended.map(id => gateway.ask<TaskView>(actor, { path: `/accounts/${accountId}/tasks/${id}` })))
  return [...ids.flatMap(id => running.get(id) ?? []), ...found.flatMap(answer => (answer.ok ? [answer.value] : []))]
}
