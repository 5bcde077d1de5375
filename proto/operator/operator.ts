import { type Static, Type } from '@sinclair/typebox'
import { text, textOrNull } from './answer'

/** Whose token it is; the shared one has no name. */
export const OperatorRow = Type.Object({ name: textOrNull, role: text, acts_for_others: Type.Boolean() })
export type OperatorRow = Static<typeof OperatorRow>
