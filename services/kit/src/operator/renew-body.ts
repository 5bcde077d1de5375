import { Type } from '@sinclair/typebox'
import { id } from '../request/text'

/** The body of a renewal of sealed secrets. `after`: the `next` of the portion before; absent for the first. */
export const RenewBody = Type.Object({ after: Type.Optional(id) }, { additionalProperties: false })
