import { Failure } from '@filmgate/kit/failure'
import type { Reason } from './errors'
import type { TokenAnswer } from './rate-limit/token'

export type LimitAddressDeps = { takeAddressToken(address: string): TokenAnswer; clientAddress(request: Request): string }

/** Counts a request that shows no key against its address; 429 where the address has no token left. */
export function limitAddress({ takeAddressToken, clientAddress }: LimitAddressDeps, request: Request, of = ''): void {
  const { taken, waitMs } = takeAddressToken(`${of}${clientAddress(request)}`)
  if (!taken) throw new Failure<Reason>('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) })
}
