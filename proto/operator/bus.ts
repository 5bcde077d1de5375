import { type Static, Type } from '@sinclair/typebox'
import { added, number, text, time } from './answer'

/** `cameBack`: how often it was replayed and failed again. `firstAt`: when it was set aside before the first replay; `at` and `cause` are the last. */
export const DeadLetter = Type.Object({
  ...{ topic: text, offset: text, at: time, key: text, eventId: text, group: text, source: text, cause: text, bytes: number },
  ...{ cameBack: added(number), firstAt: added(time) },
})
export type DeadLetter = Static<typeof DeadLetter>

export const LetterCount = Type.Object({ topic: text, waiting: number })
export type LetterCount = Static<typeof LetterCount>

/** `copies`: further letters of an event and group that were sent once. `refused`: what the broker does not take back; it stays. */
export const Replay = Type.Object({ replayed: number, copies: added(number), refused: Type.Array(DeadLetter) })
export type Replay = Static<typeof Replay>

export const Discard = Type.Object({ discarded: number })
export type Discard = Static<typeof Discard>

/** A letter that an operator discarded: by whom, when and why. */
export const DiscardedLetter = Type.Object({
  ...{ topic: text, offset: text, key: text, eventId: text, group: text, cause: text },
  ...{ by: text, reason: text, at: time },
})
export type DiscardedLetter = Static<typeof DiscardedLetter>
