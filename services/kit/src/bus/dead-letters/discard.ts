import type { DeadLetter, Discard } from '@filmgate/proto/operator/bus'
import { describe } from './letter'
import { type RemovalOptions, removeLetters } from './remove-letters'

export type DiscardOptions = RemovalOptions & {
  /** Keeps what is about to be discarded; told again of letters whose discarding was interrupted. */
  record(letters: DeadLetter[]): Promise<void>
}

/** Removes the waiting letters for good: none of them is replayed any more. */
export async function discardDeadLetters(options: DiscardOptions): Promise<Discard> {
  let discarded = 0
  await removeLetters(options, async portion => {
    await options.record(portion.map(describe))
    discarded += portion.length
    return portion
  })
  return { discarded }
}
