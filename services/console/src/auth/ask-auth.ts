import { Failure } from '@filmgate/kit/failure'
import { isAPIError } from 'better-auth/api'
import type { Reason } from '../errors'
import { addressHeader } from './create-auth'

/** What the library is told of a request: its cookies, its browser, and the address as we know it. */
export function authHeaders(request: Request, address: string, more: Record<string, string> = {}): Headers {
  const headers = new Headers({ ...more, [addressHeader]: address })
  for (const name of ['cookie', 'user-agent', 'origin']) {
    const value = request.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  return headers
}

type Settable = { headers: Record<string, unknown> }

/** Passes on the cookies that the library set. */
export function keepCookies(set: Settable, headers: Headers): void {
  for (const cookie of headers.getSetCookie()) addCookie(set, cookie)
}

export function addCookie(set: Settable, cookie: string): void {
  const before = set.headers['set-cookie']
  set.headers['set-cookie'] = [...(Array.isArray(before) ? before : before === undefined ? [] : [before]), cookie]
}

/** Throws on what is no refusal. The library puts its own words around a database that does not answer: to a person that is 503. */
export function throwFault(error: unknown): never {
  if (isAPIError(error) && error.statusCode >= 500) throw new Failure<Reason>('service_unavailable', { cause: error })
  throw error
}

/** The library's word for why it refused; what is no refusal is thrown on. */
export function refusalOf(error: unknown): string {
  if (!isAPIError(error) || error.statusCode >= 500) throwFault(error)
  return (error.body as { code?: string } | undefined)?.code ?? String(error.status)
}
