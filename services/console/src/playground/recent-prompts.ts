import type { Actor, Gateway, Page, TaskView } from '../gateway/gateway'

const tasksRead = 24
const promptsMax = 8

/** The different prompts of the account's latest videos in the console, newest first. */
export async function findRecentPrompts(gateway: Gateway, { actor, accountId }: { actor: Actor; accountId: string }): Promise<string[]> {
  const answer = await gateway.request<Page<TaskView>>(actor, { path: `/accounts/${accountId}/tasks?surface=web&limit=${tasksRead}` })
  // The form is of use without them.
  const data = answer.ok ? answer.value.data : []
  return [...new Set(data.flatMap(({ prompt }) => prompt ?? []))].slice(0, promptsMax)
}
