import { Failure } from '@filmgate/kit/failure'
import { noteRequest } from '@filmgate/kit/http/spans'
import type { TokenAnswer } from '@filmgate/kit/request/local-bucket'
import { plainAddress } from '@filmgate/kit/request/network-of'
import { bearerToken } from '@filmgate/kit/request/require-bearer'
import { parseAddress } from '@filmgate/kit/safe-fetch/address'
import { contains } from '@filmgate/kit/safe-fetch/range'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'
import { type LimitAddressDeps, limitAddress } from '../rate-limit/limit-address'
import { type Answering, tellLimit, tellPolicy } from '../rate-limit/tell-limit'
import { keyIdOf } from './api-key'
import type { Caller, FindCaller } from './find-caller'

/** The limit of addresses is for requests without a valid key. */
export type AuthenticateDeps = LimitAddressDeps & {
  findCaller: FindCaller
  giveAddressTokenBack(bucket: string): void
  takeToken(keyId: string, limit: number): Promise<TokenAnswer>
  /** Of a key whose account has no limit of its own. */
  rateLimit: number
}

/** A client is answered within 5 s although the database is gone: all reads of one request together, its key's included, take at most this. */
const databaseMsMax = 4_800

/**
 * Puts `caller` on the context: bearer key first (401), then its token bucket (429). In `derive`, because macros and resolve run
 * after validation. A request without a valid key takes no key's token; it is limited by its address. So is, apart, the look-up of a key that
 * this replica doesn't know yet; a valid one gives the token back. `leftMs` is what the database may take yet. A route that waits calls
 * `confirmKey`, which refuses once the key has ended.
 */
export function authenticate(deps: AuthenticateDeps) {
  return new Elysia({ name: 'authenticate' }).derive({ as: 'scoped' }, async function authenticate({ request, set }) {
    const askedAt = performance.now()
    tellPolicy(set, deps.rateLimit)
    const key = bearerToken(request.headers)
    const payForLookUp = () => {
      const bucket = limitAddress(deps, request, { kind: 'look-up ', set })
      return () => deps.giveAddressTokenBack(bucket)
    }
    const caller = key ? await deps.findCaller(key, payForLookUp) : undefined
    if (!caller) throw refused(deps, request, set, { key })
    noteRequest(request, { account_id: caller.accountId, key_id: caller.keyId })
    if (!worksFrom(deps, caller, request)) throw refused(deps, request, set, { key, message: elsewhere })
    const limit = caller.requestLimit ?? deps.rateLimit
    const token = await deps.takeToken(caller.keyId, limit)
    const waitSeconds = tellLimit(set, limit, token)
    if (!token.taken) throw new Failure<Reason>('rate_limited', { retryAfterSeconds: Math.max(1, waitSeconds) })
    const confirmKey = async (): Promise<void> => {
      const found = key ? await deps.findCaller(key) : undefined
      if (!found) throw new Failure<Reason>('invalid_api_key')
      if (!worksFrom(deps, found, request)) throw new Failure<Reason>('invalid_api_key', { message: elsewhere })
    }
    return { caller, confirmKey, leftMs: databaseMsMax - (performance.now() - askedAt) }
  })
}

const howToWriteIt =
  'The Authorization header holds no bearer token. Write it as "Authorization: Bearer sk_live_…": the word Bearer once, a space, and the key without quotes.'

const elsewhere = 'This API key does not work from the address of this request.'

/** The address as our own proxies tell it. */
function worksFrom(deps: AuthenticateDeps, { addresses }: Caller, request: Request): boolean {
  if (!addresses) return true
  const address = parseAddress(plainAddress(deps.clientAddress(request)))
  return address !== undefined && addresses.some(range => contains(range, address))
}

type Refusal = { key: string | undefined; message?: string }

/** The headers tell the limit of its address, which is the one that counts it. */
function refused(deps: AuthenticateDeps, request: Request, set: Answering, { key, message }: Refusal): Failure<Reason> {
  const keyId = key && keyIdOf(key)
  if (keyId) noteRequest(request, { key_id: keyId })
  limitAddress(deps, request, { set })
  if (key) return new Failure<Reason>('invalid_api_key', { ...(message && { message }) })
  return new Failure<Reason>('missing_api_key', request.headers.has('authorization') ? { message: howToWriteIt } : {})
}
