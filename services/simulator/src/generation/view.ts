import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'

/** What reads show of all generations: everything, nothing (another project's key, an empty replica), or what was accepted longer ago. */
const ViewRequest = Type.Union([
  Type.Object({ shows: Type.Union([Type.Literal('all'), Type.Literal('nothing')]) }, { additionalProperties: false }),
  Type.Object({ shows: Type.Literal('older'), lag_ms: Type.Integer({ minimum: 0, maximum: 3_600_000 }) }, { additionalProperties: false }),
])
export type ViewRequest = Static<typeof ViewRequest>
export const viewForm = TypeCompiler.Compile(ViewRequest)

export type View = { shows(acceptedAt: number): boolean; change(request: ViewRequest): void }

/** Kept in memory only. `older` shows what was accepted before one moment, which stays the same however much time passes. */
export function createView(now: () => number): View {
  let shownBefore = Number.POSITIVE_INFINITY
  return {
    shows: acceptedAt => acceptedAt < shownBefore,
    change(request) {
      if (request.shows === 'older') shownBefore = now() - request.lag_ms
      else shownBefore = request.shows === 'all' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
    },
  }
}
