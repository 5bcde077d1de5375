import { Type } from '@sinclair/typebox'
import { words } from '../request/text'

/**
 * An operator's wish that a service publishes again what it decided since a moment, part by part. `after`: the answer's `next` of the call
 * before.
 */
export const replayBody = <Name extends string>(...parts: Name[]) =>
  Type.Object(
    {
      part: Type.Union(parts.map(part => Type.Literal(part))),
      since: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$' }),
      after: Type.Optional(words(300)),
    },
    { additionalProperties: false },
  )

/** Rows of one call, and so of one transaction. */
export const replayedRowsMax = 200

/** `next`: ask again behind it; null once all have been published. */
export const replayPart = (ids: string[]): { rows: number; next: string | null } => ({
  rows: ids.length,
  next: ids.length < replayedRowsMax ? null : (ids.at(-1) ?? null),
})
