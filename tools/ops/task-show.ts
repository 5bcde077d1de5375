import { OpsFault } from './fault'
import type { Call, Json } from './operator-api'
import type { Service } from './settings'

/** A task's whole history as the four services that know it tell it. One that doesn't answer is said to be silent, not left out. */
export async function taskShow(call: Call, { taskId }: { taskId: string }): Promise<Json> {
  const path = `/tasks/${encodeURIComponent(taskId)}`
  const ask = (service: Service) =>
    call(service, 'GET', path).catch((error: unknown) => {
      if (error instanceof OpsFault) return { silent: error.message }
      throw error
    })
  const line = ['gateway', 'ledger', 'media-probe', 'dispatcher'] as const
  const answers = await Promise.all(line.map(async service => named(service, await ask(service))))
  return Object.assign({}, ...answers)
}

const named = (service: string, answer: Json): { [key: string]: Json } =>
  typeof answer === 'object' && answer !== null && !Array.isArray(answer) && !('silent' in answer) ? answer : { [service]: answer }
