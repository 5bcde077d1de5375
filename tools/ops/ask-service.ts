import { OpsFault } from './fault'
import type { Call, Json } from './operator-api'
import type { Service } from './settings'

export type Known = { [name: string]: Json }
export type Answer = { known: Known } | { unknown: true } | { silent: string }

/** What a service knows of one thing. One that doesn't answer is said to be silent, not left out. */
export async function askService(call: Call, service: Service, path: string): Promise<Answer> {
  try {
    return { known: (await call(service, 'GET', path)) as Known }
  } catch (error) {
    if (!(error instanceof OpsFault)) throw error
    return error.status === 404 ? { unknown: true } : { silent: error.message }
  }
}
