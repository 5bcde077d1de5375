import { ensurePersonalAccount } from '../../accounts/activate-person'
import { oidcId } from '../../auth/create-auth'
import { deleteSession } from '../../auth/session-repository'
import type { SignInDeps } from '../deps'
import { recordSecurityChange, recordSignIn } from '../record-security-change'

/**
 * Handles the provider's callback: ends the previous session, opens an account for a new person, and records the
 * sign-in.
 */
export async function finishOidc(deps: SignInDeps, request: Request, answer: Response): Promise<void> {
  const { findPerson, sql, clientAddress } = deps
  const previous = await findPerson(request)
  const cookies = answer.headers.getSetCookie().map(cookie => cookie.split(';', 1)[0])
  const signedIn = await findPerson(withCookies(deps, request, cookies.join('; ')))
  if (!signedIn) {
    // The provider was connected to the signed-in person, so this is no sign-in.
    if (previous && !/[?&]error=/.test(answer.headers.get('location') ?? ''))
      await recordSecurityChange(deps, previous, {
        action: 'person.provider_connected',
        change: 'Another provider was connected to your account',
        subject: oidcId,
      })
    return
  }
  // A request built from the response's cookies has no client address, so it is taken from this one.
  const person = { ...signedIn, address: clientAddress(request) }
  if (previous && previous.sessionId !== person.sessionId) await deleteSession(sql, previous.sessionId)
  await ensurePersonalAccount(deps, person)
  await recordSignIn(sql, person, 'person.signed_in', oidcId)
}

function withCookies({ consoleUrl }: SignInDeps, request: Request, cookie: string): Request {
  return new Request(consoleUrl, { headers: { cookie, 'user-agent': request.headers.get('user-agent') ?? '' } })
}
