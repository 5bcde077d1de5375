import type { Actor, Gateway } from './gateway'

/** The console's own work, on nobody's behalf. */
const actor: Actor = { id: 'console', email: 'console' }

/** What a worker asks of many accounts at once. Anything but an answer is an error, which its next turn asks anew. */
export async function askAsConsole<T>(gateway: Gateway, path: string, body: unknown): Promise<T[]> {
  const answer = await gateway.ask<{ data: T[] }>(actor, { method: 'POST', path, body })
  if (!answer.ok) throw new Error(`the gateway answered ${answer.status} ${answer.code} to ${path}`)
  return answer.value.data
}
