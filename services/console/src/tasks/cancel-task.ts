import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../errors'
import type { Actor, Gateway, TaskView } from '../gateway/gateway'
import type { Notice } from '../layout/page'

/** Above the 5 s that the gateway waits for what comes of a cancel. */
const timeoutMs = 15_000

/** Asks for the end of a task. Undefined where it ended or its provider is asked; otherwise why it goes on. */
export async function cancelTask(gateway: Gateway, person: Actor, path: string): Promise<Notice | undefined> {
  const answer = await gateway.request<TaskView>(person, { method: 'POST', path: `${path}/cancel`, body: {}, timeoutMs })
  if (answer.ok) return undefined
  if (answer.status === 404) throw new Failure<Reason>('not_found')
  if (answer.code !== 'not_cancellable')
    throw new Failure<Reason>('service_unavailable', { internal: `a cancel answered ${answer.status}` })
  return { kind: 'wrong', text: answer.message }
}
