import type { Actor, Gateway, Page, TaskView } from '../gateway/gateway'

const tasksRead = 24
const promptsMax = 8

/** The different prompts of the account's latest videos in the console, newest first. */
export async function findRecentPrompts(gateway: Gateway, { actor, accountId }: { actor: Actor; accountId: string }): Promise<string[]> {
  const { data } = await gateway.get<Page<TaskView>>(actor, `/accounts/${accountId}/tasks?surface=web&limit=${tasksRead}`)
  return [...new Set(data.flatMap(({ prompt }) => prompt ?? []))].slice(0, promptsMax)
}
