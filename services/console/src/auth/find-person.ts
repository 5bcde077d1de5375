import type { Sql } from '@filmgate/kit/database/postgres'
import { withDeadline } from '@filmgate/kit/deadline'
import type { FindPerson, Person } from '../door/person'
import { throwFault } from './ask-auth'
import type { Auth } from './create-auth'
import { deleteSession, touchSession } from './session-repository'

type Deps = { auth: Auth; sql: Sql; clientAddress: (request: Request) => string; now: () => Date }

const idleMsMax = 7 * 86_400_000
const touchEveryMs = 300_000
/** Before every page: a database that never answers is told within 5 s, as the API's clients are. */
const readTimeoutMs = 4_800

const found = new WeakMap<Request, Promise<Person | undefined>>()

/** Reads the session's cookie, once a request. A session ends 30 days after the sign-in, or when it rests for 7. */
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
  if (restedMs > touchEveryMs) await touchSession(sql, session.id, now())
  const { id, name, email, emailVerified } = user
  return { id, name, email, emailVerified, sessionId: session.id, address: clientAddress(request) }
}
