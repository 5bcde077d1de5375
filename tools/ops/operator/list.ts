import { askService } from '../ask-service'
import { OpsFault } from '../fault'
import type { Call, Json } from '../operator-api'
import type { Service } from '../settings'

const services: Service[] = ['gateway', 'ledger', 'media-probe', 'dispatcher', 'webhooks']

/** Whose tokens open each service now, with their roles; without a name the shared one. A service that doesn't answer is said to be silent. */
export const operatorList = (call: Call) => eachService(call, '/operators', ({ data }) => (Array.isArray(data) ? data : []))

/** Whose token this is, as each service has it. */
export const operatorMe = (call: Call) => eachService(call, '/me', known => [known])

async function eachService(call: Call, path: string, rowsOf: (known: { [name: string]: Json }) => Json[]): Promise<Json> {
  const answers = await Promise.all(services.map(async service => ({ service, answer: await askService(call, service, path) })))
  const silent = answers.flatMap(({ answer }) => ('silent' in answer ? [answer.silent] : []))
  if (silent.length === services.length) throw new OpsFault([...new Set(silent)].join('\n'))
  return answers.flatMap(({ service, answer }) => {
    if ('known' in answer) return rowsOf(answer.known).map(row => ({ service, ...(row as { [name: string]: Json }) }))
    return [{ service, fault: 'silent' in answer ? answer.silent : 'an older version: it knows the shared token alone' }]
  })
}
