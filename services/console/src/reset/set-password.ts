import { activatePerson } from '../accounts/activate-person'
import { authErrorCode, authHeaders } from '../auth/auth-request'
import { passwordIssue } from '../auth/common-password'
import { enforceLimit, resetLimit } from '../limits/enforce-limit'
import { findPersonById } from '../people/person-repository'
import type { SignInDeps } from '../sign-in/deps'
import { recordSecurityChange } from '../sign-in/record-security-change'

type Input = { request: Request; token: string; password: string }
type Outcome = { outcome: 'done' | 'ended' } | { outcome: 'unfit'; issue: string; email: string }

/** The person of a password link; undefined if the link was used or has expired. */
export async function findPersonByResetToken({ auth, sql }: SignInDeps, token: string) {
  const { internalAdapter } = await auth.$context
  const waiting = await internalAdapter.findVerificationValue(`reset-password:${token}`)
  return waiting && waiting.expiresAt > new Date() ? findPersonById(sql, waiting.value) : undefined
}

/**
 * Setting the password uses up the link and ends all sessions in one transaction. The link also proves access to the
 * mailbox, so it confirms the address.
 */
export async function setPassword(deps: SignInDeps, { request, token, password }: Input): Promise<Outcome> {
  const { auth, sql, limits, clientAddress } = deps
  const address = clientAddress(request)
  await enforceLimit(sql, limits.linkAddress, address)
  const person = await findPersonByResetToken(deps, token)
  if (!person) return { outcome: 'ended' }
  const issue = passwordIssue(password, person)
  if (issue !== undefined) return { outcome: 'unfit', issue, email: person.email }
  const headers = authHeaders(new Request(deps.consoleUrl), address)
  const refusal = await auth.api.resetPassword({ body: { newPassword: password, token }, headers }).then(() => undefined, authErrorCode)
  if (refusal !== undefined) return { outcome: 'ended' }
  await activatePerson(deps, { personId: person.id, address })
  await resetLimit(sql, limits.signInAccount, person.email)
  await recordSecurityChange(
    deps,
    { ...person, address },
    { action: 'person.password_reset', change: 'Your password was changed by a link from your mailbox' },
  )
  return { outcome: 'done' }
}
