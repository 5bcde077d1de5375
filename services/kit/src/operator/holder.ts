import type { Operator } from './operators'

const holders = new WeakMap<Request, Operator>()

/** Keeps whose token opened the operators' door to this request. */
export const keepHolder = (request: Request, operator: Operator): void => void holders.set(request, operator)

/** Whose token the request carries; undefined where it did not come through the operators' door. */
export const holderOf = (request: Request): Operator | undefined => holders.get(request)
