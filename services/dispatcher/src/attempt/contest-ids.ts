import { counter, late } from '@filmgate/kit/metrics'
import type { Attempt } from './attempt'
import { uncertain } from './events'
import type { Move } from './move'

const contested = counter('maker_ids_contested', 'Ids that a maker told although another attempt has them', { maker: late })

/** A maker's id as one text. */
export const makerIdOf = (maker: string, makerTaskId: string) => `${maker} ${makerTaskId}`

/**
 * Replaces moves that would write a maker's id which another attempt has, in the database (`owners`: attempt by id) or earlier among these:
 * one of the two answers is a lie, so what became of this attempt isn't known. Its look-up tells, or an operator.
 */
export function contestIds(moves: Move[], owners: Map<string, string>, now: () => Date): Move[] {
  const taken = new Map(owners)
  return moves.map(move => {
    const { attempt, columns } = move
    if (columns?.makerTaskId === undefined) return move
    const id = makerIdOf(attempt.maker, columns.makerTaskId)
    const owner = taken.get(id)
    if (owner === undefined || owner === attempt.id) {
      taken.set(id, attempt.id)
      return move
    }
    contested.add(1, { maker: attempt.maker })
    return contestedMove(move, `the maker named the id ${columns.makerTaskId}, which attempt ${owner} has`, now())
  })
}

/** The state it goes to where the id can't be believed; where it is in review already it stays there. */
const heldAs: Partial<Record<Attempt['state'], 'unknown' | 'overdue'>> = { sending: 'unknown', accepted: 'overdue' }
const contestedRetryMs = 1_000

function contestedMove({ attempt, job }: Move, cause: string, at: Date): Move {
  const to = heldAs[attempt.state]
  const move = {
    attempt,
    job,
    columns: { cause, makerTaskIdDisputed: attempt.makerTaskId !== null },
    after: { next: 'again', afterMs: contestedRetryMs },
  } satisfies Move
  return to ? { ...move, to, events: [uncertain(attempt, at, cause)] } : move
}
