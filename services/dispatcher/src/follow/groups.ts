import type { Due } from '../attempt/attempt'
import type { Transition } from '../attempt/transition'
import type { Connector } from '../makers/connector'
import { type AskDeps, heal, poll } from './ask'
import { decideUnanswered } from './decide'

/** Its maker may not be configured: then it waits for the configuration, and past its bound for an operator. */
export type Taken = Omit<Due, 'connector'> & { connector: Connector | undefined; troubled: boolean }

/** Attempts that are asked about together; nobody where there is no connector. */
export type Group = {
  connector: Connector | undefined
  due: Taken[]
  ask(signal: AbortSignal): Promise<(Transition | undefined)[]>
}

/**
 * Look-ups each by itself, so that a slow one delays no other; polls by maker, as many together as it takes; nobody is asked where the maker
 * is not configured.
 */
export function groupsOf(deps: AskDeps, taken: Taken[]): Group[] {
  const due = taken.filter(isAskable)
  const alone = taken.filter(one => !one.connector)
  const healing = due.filter(isHealing).map((one): Group => {
    return { connector: one.connector, due: [one], ask: async signal => [await heal(deps, one, signal)] }
  })
  const polling = [
    ...Map.groupBy(
      due.filter(one => !isHealing(one)),
      one => one.connector,
    ),
  ].flatMap(([connector, own]) =>
    portions(own, connector.pollSizeMax).map((due): Group => ({ connector, due, ask: signal => poll(deps, connector, due, signal) })),
  )
  const deciding: Group = { connector: undefined, due: alone, ask: async () => alone.map(one => decideUnanswered(deps, one)) }
  return [...healing, ...polling, ...(alone.length > 0 ? [deciding] : [])]
}

const isAskable = (one: Taken): one is Taken & Due => one.connector !== undefined
const isHealing = ({ attempt }: Taken): boolean => attempt.state === 'sending' || attempt.state === 'unknown'

function portions<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))
}
