import { Failure } from '@filmgate/kit/failure'
import type { Reason } from './errors'
import { type Answering, tellLimit } from './rate-limit/tell-limit'
import type { TokenAnswer } from './rate-limit/token'

export type LimitAddressDeps = {
  takeAddressToken(address: string): TokenAnswer
  clientAddress(request: Request): string
  addressRateLimit: number
}

/** Counts a request that shows no key against its address, of a kind of its own or of all; 429 where no token is left. `set` is told the limit. */
export function limitAddress(
  { takeAddressToken, clientAddress, addressRateLimit }: LimitAddressDeps,
  request: Request,
  { kind = '', set = { headers: {} } }: { kind?: string; set?: Answering } = {},
): void {
  const token = takeAddressToken(`${kind}${clientAddress(request)}`)
  const waitSeconds = tellLimit(set, addressRateLimit, token)
  if (!token.taken) throw new Failure<Reason>('rate_limited', { retryAfterSeconds: Math.max(1, waitSeconds) })
}
