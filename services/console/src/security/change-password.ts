import { authErrorCode, authHeaders, forwardCookies } from '../auth/auth-request'
import { passwordIssue } from '../auth/common-password'
import { deleteOtherSessions } from '../auth/session-repository'
import type { Person } from '../http/person'
import { enforceLimit } from '../limits/enforce-limit'
import type { SignInDeps } from '../sign-in/deps'
import { recordSecurityChange } from '../sign-in/record-security-change'
import { findSignInMethods } from './security-repository'

type Input = { person: Person; request: Request; set: { headers: Record<string, unknown> }; current: string; password: string }

/** Changes the password, ends all other sessions and renews this one. Returns the error message, if any. */
export async function changePassword(deps: SignInDeps, { person, request, set, current, password }: Input): Promise<string | undefined> {
  const { sql, auth, limits } = deps
  const issue = passwordIssue(password, person)
  if (issue !== undefined) return issue
  const headers = authHeaders(request, deps.clientAddress(request))
  const { password: hasOne } = await findSignInMethods(sql, person.id)
  if (hasOne) {
    await enforceLimit(sql, limits.confirmAccount, person.id)
    const body = { currentPassword: current.slice(0, 128), newPassword: password, revokeOtherSessions: true }
    const answer = await auth.api.changePassword({ body, headers, returnHeaders: true }).catch(authErrorCode)
    if (typeof answer === 'string') return 'The current password is wrong.'
    forwardCookies(set, answer.headers)
  } else {
    await auth.api.setPassword({ body: { newPassword: password }, headers })
    await deleteOtherSessions(sql, person.id, person.sessionId)
  }
  await recordSecurityChange(deps, person, { action: 'person.password_changed', change: 'Your password was changed' })
  return undefined
}
