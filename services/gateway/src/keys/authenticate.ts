import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'
import { limitAddress } from '../limit-address'
import type { TokenAnswer } from '../rate-limit/token'
import type { Caller, FindCaller } from './find-caller'

export type AuthenticateDeps = {
  findCaller: FindCaller
  takeToken(keyId: string): Promise<TokenAnswer>
  /** For requests without a valid key. */
  takeAddressToken(address: string): TokenAnswer
  clientAddress(request: Request): string
  rateLimit: number
}

/** A client is answered within 5 s, whatever is gone: so long for all that the database is asked for one request, its key first. */
const databaseMsMax = 4_800

const bearer = /^Bearer +(\S+)$/i

/**
 * Puts `caller` on the context: bearer key first (401), then its token bucket (429). In `derive`, because macros and resolve run
 * after validation. `leftMs` is what the database may take yet. What waits asks `confirmKey`, which refuses once the key has ended. A request without a valid key costs no key a token; it is limited by its address.
 */
export function authenticate(deps: AuthenticateDeps) {
  const policy = `"requests";q=${deps.rateLimit};w=60`
  return new Elysia({ name: 'authenticate' }).derive({ as: 'scoped' }, async function authenticate({ request, set }) {
    const askedAt = performance.now()
    const key = request.headers.get('authorization')?.match(bearer)?.[1]
    const caller = await findCaller(deps, request, key)
    const token = await deps.takeToken(caller.keyId)
    const waitSeconds = Math.ceil(token.waitMs / 1_000)
    set.headers['ratelimit-policy'] = policy
    set.headers.ratelimit = `"requests";r=${token.left};t=${waitSeconds}`
    if (!token.taken) throw new Failure<Reason>('rate_limited', { retryAfterSeconds: Math.max(1, waitSeconds) })
    const confirmKey = async (): Promise<void> => {
      if (!(key && (await deps.findCaller(key)))) throw new Failure<Reason>('invalid_api_key')
    }
    return { caller, confirmKey, leftMs: databaseMsMax - (performance.now() - askedAt) }
  })
}

async function findCaller(deps: AuthenticateDeps, request: Request, key: string | undefined): Promise<Caller> {
  const caller = key ? await deps.findCaller(key) : undefined
  if (caller) return caller
  limitAddress(deps, request)
  throw new Failure<Reason>(request.headers.has('authorization') ? 'invalid_api_key' : 'missing_api_key')
}
