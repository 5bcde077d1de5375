import type { Due, DueAttempt } from '../attempt/attempt'
import type { Transition } from '../attempt/transition'
import type { Connector } from '../providers/connector'
import { type AskDeps, heal, poll } from './ask'
import { decideUnanswered } from './decide'

/** Nobody is asked about one without a connector: its provider is not configured, or has no slot left here. */
export type Taken = Omit<Due, 'connector'> & { connector: Connector | undefined; answerCounts: boolean }

/** Attempts that are asked about together; nobody where there is no connector. */
export type Group = {
  connector: Connector | undefined
  due: Taken[]
  /** What becomes of each, in their order, each as soon as it is known. */
  ask(signal: AbortSignal): Promise<Transition | undefined>[]
}

/**
 * Look-ups each by itself, so that a slow one delays no other; polls by provider, as many together as it takes; nobody is asked where there is no
 * connector: then what is past its bounds comes to its review, and the rest waits.
 */
export function groupsOf(deps: AskDeps, taken: Taken[]): Group[] {
  const due = taken.filter(isAskable)
  const alone = taken.filter(one => !one.connector)
  const healing = due.filter(isHealing).map((one): Group => {
    return { connector: one.connector, due: [one], ask: signal => [heal(deps, one, signal)] }
  })
  const polling = [
    ...Map.groupBy(
      due.filter(one => !isHealing(one)),
      one => one.connector,
    ),
  ].flatMap(([connector, own]) =>
    portions(own, connector.pollSizeMax).map((due): Group => ({ connector, due, ask: signal => poll(deps, connector, due, signal) })),
  )
  const deciding: Group = { connector: undefined, due: alone, ask: () => alone.map(async one => decideUnanswered(deps, one)) }
  return [...healing, ...polling, ...(alone.length > 0 ? [deciding] : [])]
}

/** Taken whether its provider has a slot or not, and not in need of its answer: its sender ended, or its time did. */
export const canDoWithout = ({ attempt }: { attempt: DueAttempt }, generationTimeoutMs: number): boolean =>
  attempt.state === 'sending' ? !attempt.uploading : attempt.state === 'accepted' && attempt.acceptedMsAgo >= generationTimeoutMs

const isAskable = (one: Taken): one is Taken & Due => one.connector !== undefined
const isHealing = ({ attempt }: Taken): boolean => attempt.state === 'sending' || attempt.state === 'unknown'

function portions<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))
}
