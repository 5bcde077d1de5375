import type { Sql } from '@filmgate/kit/database/postgres'
import { withDeadline } from '@filmgate/kit/deadline'
import type { FindPerson, Person } from '../door/person'
import { throwFault } from './ask-auth'
import type { Auth } from './create-auth'
import { deleteSession, touchSession } from './session-repository'

type Deps = { auth: Auth; sql: Sql; clientAddress: (request: Request) => string; now: () => Date }

/** ASVS 4.0.3, 3.3.2 at level 2. */
export const idleMsMax = 30 * 60_000
const touchEveryMs = 60_000
/** Before every page: a database that never answers is told within 5 s, as the API's clients are. */
const readTimeoutMs = 4_800

const found = new WeakMap<Request, Promise<Person | undefined>>()

/** Reads the session's cookie, once a request. A session ends 12 hours after the sign-in, or when its person rests for 30 minutes: what an open page asks by itself is no use of it. */
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
  const read = await withDeadline(reading, readTimeoutMs, 'the database').catch(throwFault)
  if (!read) return undefined
  const { session, user } = read
  const restedMs = now().getTime() - session.updatedAt.getTime()
  if (restedMs > idleMsMax) {
    await deleteSession(sql, session.id)
    return undefined
  }
  if (restedMs > touchEveryMs && !isAskedByPage(request)) await touchSession(sql, session.id, now())
  const { id, name, email, emailVerified } = user
  return { id, name, email, emailVerified, sessionId: session.id, address: clientAddress(request) }
}

const isAskedByPage = ({ method, headers }: Request): boolean => method === 'GET' && headers.get('accept') === 'application/json'
