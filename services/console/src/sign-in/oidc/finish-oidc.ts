import { insertAccountOf } from '../../accounts/welcome'
import { oidcId } from '../../auth/create-auth'
import { deleteSession } from '../../auth/session-repository'
import type { SignInDeps } from '../deps'
import { noteChange, noteSignIn } from '../note-act'

/** What follows the provider's answer: the former session ends, a person who is new has an account opened, and it is noted. */
export async function finishOidc(deps: SignInDeps, request: Request, answer: Response): Promise<void> {
  const { findPerson, sql, clientAddress } = deps
  const former = await findPerson(request)
  const cookies = answer.headers.getSetCookie().map(cookie => cookie.split(';', 1)[0])
  const arrived = await findPerson(withCookies(deps, request, cookies.join('; ')))
  if (!arrived) {
    // Connected to the person who is signed in: nobody signs in anew.
    if (former && !/[?&]error=/.test(answer.headers.get('location') ?? ''))
      await noteChange(deps, former, {
        act: 'person.provider_connected',
        words: 'Another provider was connected to your account',
        subject: oidcId,
      })
    return
  }
  // The request that is made of the answer's cookies comes from nowhere: the person came with this one.
  const person = { ...arrived, address: clientAddress(request) }
  if (former && former.sessionId !== person.sessionId) await deleteSession(sql, former.sessionId)
  await insertAccountOf(deps, person)
  await noteSignIn(sql, person, 'person.signed_in', oidcId)
}

function withCookies({ consoleUrl }: SignInDeps, request: Request, cookie: string): Request {
  return new Request(consoleUrl, { headers: { cookie, 'user-agent': request.headers.get('user-agent') ?? '' } })
}
