import { Failure } from '@filmgate/kit/failure'
import { activatePerson } from '../accounts/activate-person'
import { authErrorCode, authHeaders } from '../auth/auth-request'
import { hasSignUpCookie } from '../auth/cookies'
import { verifyPassword } from '../auth/password-hash'
import type { Reason } from '../errors'
import { requirePerson } from '../http/person'
import { enforceLimit } from '../limits/enforce-limit'
import { findPasswordHash } from '../people/person-repository'
import type { SignInDeps } from '../sign-in/deps'
import { recordSecurityChange } from '../sign-in/record-security-change'
import { signInAs } from '../sign-in/sign-in-as'
import { type Link, renewLink } from './read-link'

type Input = { request: Request; set: { headers: Record<string, unknown> }; link: Link; token: string; password: string }
type Outcome = 'done' | 'ended' | 'wrong_password'

/**
 * Confirms an address. Access to the mailbox is not enough: the password is needed too, because otherwise somebody
 * could sign up with another person's address and wait for its confirmation.
 */
export async function verifyAddress(deps: SignInDeps, input: Input): Promise<Outcome> {
  const { sql, limits, clientAddress } = deps
  const { request, link, password } = input
  await enforceLimit(sql, limits.linkAddress, clientAddress(request))
  if (link.newEmail !== undefined) return changeEmailAddress(deps, input, link.newEmail)
  if (!hasSignUpCookie(deps, request, link.personId)) {
    await enforceLimit(sql, limits.signInAccount, link.email)
    const hash = await findPasswordHash(sql, link.personId)
    if (hash === undefined || password === '' || !(await verifyPassword({ password, hash }))) return 'wrong_password'
  }
  if (!(await activatePerson(deps, { personId: link.personId, address: clientAddress(request) }))) return 'ended'
  await signInAs(deps, { ...input, personId: link.personId, by: 'verification' })
  return 'done'
}

/** Only the signed-in person can change their address. */
async function changeEmailAddress(deps: SignInDeps, { request, link, token }: Input, newEmail: string): Promise<Outcome> {
  const person = await requirePerson(deps, request)
  if (person.id !== link.personId) throw new Failure<Reason>('not_found')
  const headers = authHeaders(request, deps.clientAddress(request))
  const query = { token: await renewLink(token, deps.authSecrets) }
  const refusal = await deps.auth.api.verifyEmail({ query, headers }).then(() => undefined, authErrorCode)
  if (refusal !== undefined) return 'ended'
  await recordSecurityChange(deps, person, {
    action: 'person.email_changed',
    change: `Your e-mail address was changed to ${newEmail}`,
    details: { from: person.email, to: newEmail },
  })
  return 'done'
}
