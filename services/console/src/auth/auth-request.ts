import { Failure } from '@filmgate/kit/failure'
import { isAPIError } from 'better-auth/api'
import type { Reason } from '../errors'
import { addressHeader } from './create-auth'

/** Headers for a call to better-auth: cookies, user agent, origin, and the client's IP address. */
export function authHeaders(request: Request, address: string, more: Record<string, string> = {}): Headers {
  const headers = new Headers({ ...more, [addressHeader]: address })
  for (const name of ['cookie', 'user-agent', 'origin']) {
    const value = request.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  return headers
}

type Settable = { headers: Record<string, unknown> }

/** Copies the cookies that better-auth set. */
export function forwardCookies(set: Settable, headers: Headers): void {
  for (const cookie of headers.getSetCookie()) addCookie(set, cookie)
}

export function addCookie(set: Settable, cookie: string): void {
  const before = set.headers['set-cookie']
  set.headers['set-cookie'] = [...(Array.isArray(before) ? before : before === undefined ? [] : [before]), cookie]
}

/** Rethrows an error. better-auth wraps a database failure in an error of its own, which becomes 503 here. */
export function throwServerError(error: unknown): never {
  if (isAPIError(error) && error.statusCode >= 500) throw new Failure<Reason>('service_unavailable', { cause: error })
  throw error
}

/** The error code of a better-auth rejection. Any other error is rethrown. */
export function authErrorCode(error: unknown): string {
  if (!isAPIError(error) || error.statusCode >= 500) throwServerError(error)
  return (error.body as { code?: string } | undefined)?.code ?? String(error.status)
}
