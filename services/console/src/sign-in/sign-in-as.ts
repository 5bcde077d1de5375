import { authHeaders, forwardCookies } from '../auth/auth-request'
import { rememberBrowser } from '../auth/cookies'
import { personHeader } from '../auth/open-session'
import { findPersonById } from '../people/person-repository'
import type { SignInDeps } from './deps'
import { endPreviousSession } from './end-previous-session'
import { recordSignIn } from './record-security-change'

type Input = { request: Request; set: { headers: Record<string, unknown> }; personId: string; by: string }

/** Signs in a person who was authenticated by a link. */
export async function signInAs(deps: SignInDeps, { request, set, personId, by }: Input): Promise<void> {
  const { auth, sql, clientAddress } = deps
  const address = clientAddress(request)
  await endPreviousSession(deps, request)
  const { headers } = await auth.api.openSession({
    headers: authHeaders(request, address, { [personHeader]: personId }),
    returnHeaders: true,
  })
  forwardCookies(set, headers)
  const person = await findPersonById(sql, personId)
  if (!person) return
  rememberBrowser(deps, set, person.email)
  await recordSignIn(sql, { ...person, address }, 'person.signed_in', by)
}
