import { counter, late } from '@filmgate/kit/telemetry/metrics'
import type { Attempt } from '../attempt'
import { uncertain } from '../events'
import type { Transition } from '../transition'

const contested = counter('provider_ids_contested', 'Ids that a provider gave although another attempt has them', { provider: late })

/** A provider's id as one text. */
export const providerIdOf = (provider: string, providerTaskId: string) => `${provider} ${providerTaskId}`

/**
 * Replaces transitions that would write a provider's id which another attempt has, in the database (`owners`: attempt by id) or earlier among
 * these: one of the two answers is wrong, so what became of this attempt isn't known. Its look-up finds it out, or an operator does.
 */
export function contestIds(transitions: Transition[], owners: Map<string, string>, now: () => Date): Transition[] {
  const taken = new Map(owners)
  return transitions.map(transition => {
    const { attempt, columns } = transition
    if (columns?.providerTaskId === undefined) return transition
    const id = providerIdOf(attempt.provider, columns.providerTaskId)
    const owner = taken.get(id)
    if (owner === undefined || owner === attempt.id) {
      taken.set(id, attempt.id)
      return transition
    }
    contested.add(1, { provider: attempt.provider })
    return contestedTransition(transition, `the provider named the id ${columns.providerTaskId}, which attempt ${owner} has`, now())
  })
}

/** The state it comes to where the id can't be believed; an attempt that is held for review stays as it is. */
const heldAs: Partial<Record<Attempt['state'], 'unknown' | 'overdue'>> = { sending: 'unknown', accepted: 'overdue' }
const contestedRetryMs = 1_000

function contestedTransition({ attempt, job }: Transition, cause: string, at: Date): Transition {
  const to = heldAs[attempt.state]
  const transition = {
    attempt,
    job,
    columns: { cause, providerTaskIdDisputed: attempt.providerTaskId !== null },
    after: { next: 'again', afterMs: contestedRetryMs },
  } satisfies Transition
  return to ? { ...transition, to, events: [uncertain(attempt, at, { cause, takenBy: at })] } : transition
}
