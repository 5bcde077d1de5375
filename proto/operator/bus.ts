import { type Static, Type } from '@sinclair/typebox'
import { number, text, time } from './answer'

export const DeadLetter = Type.Object({
  ...{ topic: text, offset: text, at: time, key: text, eventId: text, group: text, source: text, cause: text, bytes: number },
})
export type DeadLetter = Static<typeof DeadLetter>

export const LetterCount = Type.Object({ topic: text, waiting: number })
export type LetterCount = Static<typeof LetterCount>

/** `refused`: what the broker does not take back; it stays. */
export const Replay = Type.Object({ replayed: number, refused: Type.Array(DeadLetter) })
export type Replay = Static<typeof Replay>
