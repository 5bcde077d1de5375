import type { SeenReplica, SeenRound } from './round-repository'

/** How long the members of a round may take to enter it where one of them does not come. */
const enterMsMax = 1_500

export type Action = 'wait' | 'take from redis' | 'take from shares' | 'open redis' | 'open shares'

/** What a replica that has entered the round knows of itself. */
export type Self = {
  id: string
  sees: string | undefined
  taking: boolean
  enteredForMs: number
  takingForMs: number
  /** How long Redis has to be there before tokens are taken from it again. */
  steadyMs: number
}

export function nextAction(seen: SeenRound, self: Self): Action {
  const out = stillOut(seen)
  const coming = out.some(mayCome)
  const late = self.enteredForMs > enterMsMax
  if (seen.store === null) {
    if (self.taking) return mayReturn(seen, self) ? 'open redis' : 'wait'
    // A replica whose lease is over lets nothing through; but the database may have been gone for all replicas at once.
    const missing = out.some(replica => !mayCome(replica) && !replica.left)
    return coming || (missing && !late) ? 'wait' : 'take from shares'
  }
  if (self.taking) return 'wait'
  if (out.length === 0 && self.sees === seen.store) return 'take from redis'
  const another = self.sees !== undefined && self.sees !== seen.store
  return another || late || out.some(replica => !mayCome(replica)) ? 'open shares' : 'wait'
}

/** Members that have not entered. A member that is no longer listed let nothing through in the last window. */
const stillOut = ({ round, members, replicas }: SeenRound): SeenReplica[] =>
  replicas.filter(replica => members.includes(replica.id) && replica.round < round)

const mayCome = ({ left, leaseLeftMs }: SeenReplica): boolean => !left && leaseLeftMs > 0

/** Everyone who may have let something through in the last window is here, and reaches the same Redis. */
const mayReturn = ({ replicas }: SeenRound, { id, sees, takingForMs, steadyMs }: Self): boolean =>
  sees !== undefined && takingForMs >= steadyMs && replicas.every(each => each.id === id || (mayCome(each) && each.sees === sees))
