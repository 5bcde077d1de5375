import { Failure } from '@filmgate/kit/failure'
import { welcome } from '../accounts/welcome'
import { authHeaders, refusalOf } from '../auth/ask-auth'
import { signedUpHere } from '../auth/cookies'
import { verifyPassword } from '../auth/password-hash'
import { requirePerson } from '../door/person'
import type { Reason } from '../errors'
import { takeTry } from '../limits/take-try'
import { findPasswordHash } from '../people/person-repository'
import type { SignInDeps } from '../sign-in/deps'
import { noteChange } from '../sign-in/note-act'
import { signInAs } from '../sign-in/sign-in-as'
import type { Link } from './read-link'

type Input = { request: Request; set: { headers: Record<string, unknown> }; link: Link; token: string; password: string }
type Outcome = 'done' | 'ended' | 'wrong_password'

/**
 * Whoever reads the mailbox confirms the address only if they also chose the password: else somebody could sign up with another's address
 * and wait until its owner confirms it.
 */
export async function verifyAddress(deps: SignInDeps, input: Input): Promise<Outcome> {
  const { sql, limits, clientAddress } = deps
  const { request, link, password } = input
  await takeTry(sql, limits.linkAddress, clientAddress(request))
  if (link.newEmail !== undefined) return changeAddress(deps, input, link.newEmail)
  if (!signedUpHere(deps, request, link.personId)) {
    await takeTry(sql, limits.signInAccount, link.email)
    const hash = await findPasswordHash(sql, link.personId)
    if (hash === undefined || password === '' || !(await verifyPassword({ password, hash }))) return 'wrong_password'
  }
  if (!(await welcome(deps, { personId: link.personId, address: clientAddress(request) }))) return 'ended'
  await signInAs(deps, { ...input, personId: link.personId, by: 'verification' })
  return 'done'
}

/** Only the person themselves, signed in, takes a new address. */
async function changeAddress(deps: SignInDeps, { request, link, token }: Input, newEmail: string): Promise<Outcome> {
  const person = await requirePerson(deps, request)
  if (person.id !== link.personId) throw new Failure<Reason>('not_found')
  const headers = authHeaders(request, deps.clientAddress(request))
  const refusal = await deps.auth.api.verifyEmail({ query: { token }, headers }).then(() => undefined, refusalOf)
  if (refusal !== undefined) return 'ended'
  await noteChange(deps, person, {
    act: 'person.email_changed',
    words: `Your e-mail address was changed to ${newEmail}`,
    details: { from: person.email, to: newEmail },
  })
  return 'done'
}
