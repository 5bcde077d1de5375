import { type Static, Type } from '@sinclair/typebox'
import { number, text, textOrNull } from './answer'

/** How much is left under other values of a secret than its first. */
export const SecretUse = Type.Object({ secret: text, left: number })
export type SecretUse = Static<typeof SecretUse>

/** A portion of what a secret encrypts. `left`: what none of its values opens. `next`: where the next portion begins; null after the last. */
export const RenewedPortion = Type.Object({ secret: text, renewed: number, left: number, next: textOrNull })
export type RenewedPortion = Static<typeof RenewedPortion>
