import type { Actor, Gateway } from './gateway'

/** The console's own identity, for work on nobody's behalf. */
const actor: Actor = { id: 'console', email: 'console' }

/** A worker's request about many accounts at once. An error response throws, and the worker's next run retries. */
export async function requestAsConsole<T>(gateway: Gateway, path: string, body: unknown): Promise<T[]> {
  const answer = await gateway.request<{ data: T[] }>(actor, { method: 'POST', path, body })
  if (!answer.ok) throw new Error(`the gateway answered ${answer.status} ${answer.code} to ${path}`)
  return answer.value.data
}
