import { authHeaders, keepCookies } from '../auth/ask-auth'
import { rememberBrowser } from '../auth/cookies'
import { personHeader } from '../auth/open-session'
import { findPersonById } from '../people/person-repository'
import type { SignInDeps } from './deps'
import { endFormerSession } from './end-former-session'
import { noteSignIn } from './note-act'

type Input = { request: Request; set: { headers: Record<string, unknown> }; personId: string; by: string }

/** Signs in a person who has proven who they are by a link. */
export async function signInAs(deps: SignInDeps, { request, set, personId, by }: Input): Promise<void> {
  const { auth, sql, clientAddress } = deps
  const address = clientAddress(request)
  await endFormerSession(deps, request)
  const { headers } = await auth.api.openSession({
    headers: authHeaders(request, address, { [personHeader]: personId }),
    returnHeaders: true,
  })
  keepCookies(set, headers)
  const person = await findPersonById(sql, personId)
  if (!person) return
  rememberBrowser(deps, set, person.email)
  await noteSignIn(sql, { ...person, address }, 'person.signed_in', by)
}
