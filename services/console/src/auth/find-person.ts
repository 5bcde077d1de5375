import type { Sql } from '@filmgate/kit/database/postgres'
import { withDeadline } from '@filmgate/kit/deadline'
import type { FindPerson, Person } from '../http/person'
import { throwServerError } from './auth-request'
import type { Auth } from './create-auth'
import { deleteSession, touchSession } from './session-repository'

type Deps = { auth: Auth; sql: Sql; clientAddress: (request: Request) => string; now: () => Date }

/** ASVS 4.0.3, 3.3.2 at level 2. */
export const idleMsMax = 30 * 60_000
const touchEveryMs = 60_000
/** Runs before every page: an unresponsive database must cause an error within 5 s. */
const readTimeoutMs = 4_800

const found = new WeakMap<Request, Promise<Person | undefined>>()

/**
 * Finds the person of the session cookie, once per request. A session ends 12 hours after sign-in or after 30 minutes
 * without use. Background polling of an open page doesn't count as use.
 */
export function createFindPerson(deps: Deps): FindPerson {
  return request => {
    const before = found.get(request)
    if (before) return before
    const finding = findPerson(deps, request)
    found.set(request, finding)
    return finding
  }
}

async function findPerson({ auth, sql, clientAddress, now }: Deps, request: Request): Promise<Person | undefined> {
  if (!request.headers.has('cookie')) return undefined
  const reading = auth.api.getSession({ headers: request.headers, query: { disableRefresh: true } })
  const read = await withDeadline(reading, readTimeoutMs, 'the database').catch(throwServerError)
  if (!read) return undefined
  const { session, user } = read
  const idleMs = now().getTime() - session.updatedAt.getTime()
  if (idleMs > idleMsMax) {
    await deleteSession(sql, session.id)
    return undefined
  }
  if (idleMs > touchEveryMs && !isBackgroundRequest(request)) await touchSession(sql, session.id, now())
  const { id, name, email, emailVerified } = user
  return { id, name, email, emailVerified, sessionId: session.id, address: clientAddress(request) }
}

const isBackgroundRequest = ({ method, headers }: Request): boolean => method === 'GET' && headers.get('accept') === 'application/json'
