import type { Role } from '../environment/operator-environment'
import type { Operator } from './operators'

/** `prove` throws where this holder has to prove anew who they are before an action of such a role. */
export type Holder = Operator & { prove?: (needed: Role) => Promise<void> }

const holders = new WeakMap<Request, Holder>()

/** Keeps whose operator token this request carries. */
export const keepHolder = (request: Request, holder: Holder): void => void holders.set(request, holder)

/** Whose token the request carries; undefined where it came by no operator's route. */
export const holderOf = (request: Request): Holder | undefined => holders.get(request)
