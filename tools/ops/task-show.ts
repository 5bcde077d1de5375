import { OpsFault } from './fault'
import type { Call, Json } from './operator-api'

/** A task's whole history as the three services that know it tell it. One that doesn't answer is said to be silent, not left out. */
export async function taskShow(call: Call, { taskId }: { taskId: string }): Promise<Json> {
  const path = `/tasks/${encodeURIComponent(taskId)}`
  const ask = (service: 'gateway' | 'ledger' | 'dispatcher') =>
    call(service, 'GET', path).catch((error: unknown) => {
      if (error instanceof OpsFault) return { silent: error.message }
      throw error
    })
  const [gateway, ledger, dispatcher] = await Promise.all([ask('gateway'), ask('ledger'), ask('dispatcher')])
  return { ...named('gateway', gateway), ...named('ledger', ledger), ...named('dispatcher', dispatcher) }
}

const named = (service: string, answer: Json): { [key: string]: Json } =>
  typeof answer === 'object' && answer !== null && !Array.isArray(answer) && !('silent' in answer) ? answer : { [service]: answer }
