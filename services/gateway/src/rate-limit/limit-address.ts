import { Failure } from '@filmgate/kit/failure'
import type { TokenAnswer } from '@filmgate/kit/request/local-bucket'
import { networkOf } from '@filmgate/kit/request/network-of'
import type { Reason } from '../errors'
import { type Answering, tellLimit } from './tell-limit'

export type LimitAddressDeps = {
  takeAddressToken(address: string): TokenAnswer
  clientAddress(request: Request): string
  addressRateLimit: number
}

/**
 * Takes a token of the network (the address, or the /64 of IPv6) of a request without a key, from the bucket of its kind;
 * 429 where none is left. The limit is set as a header. Returns the bucket. Each replica counts by itself: in Redis a client without a key
 * could fill the memory, one address of IPv6 after another, until no key's token can be taken there.
 */
export function limitAddress(
  { takeAddressToken, clientAddress, addressRateLimit }: LimitAddressDeps,
  request: Request,
  { kind = '', set = { headers: {} } }: { kind?: string; set?: Answering } = {},
): string {
  const bucket = `${kind}${networkOf(clientAddress(request))}`
  const token = takeAddressToken(bucket)
  const waitSeconds = tellLimit(set, addressRateLimit, token)
  if (!token.taken) throw new Failure<Reason>('rate_limited', { retryAfterSeconds: Math.max(1, waitSeconds) })
  return bucket
}
