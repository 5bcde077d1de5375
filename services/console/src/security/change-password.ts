import { authHeaders, keepCookies, refusalOf } from '../auth/ask-auth'
import { passwordIssue } from '../auth/common-password'
import { deleteOtherSessions } from '../auth/session-repository'
import type { Person } from '../door/person'
import { takeTry } from '../limits/take-try'
import type { SignInDeps } from '../sign-in/deps'
import { noteChange } from '../sign-in/note-act'
import { findWaysIn } from './security-repository'

type Input = { person: Person; request: Request; set: { headers: Record<string, unknown> }; current: string; password: string }

/** All other sessions end, and this one goes on under a new id. Says what is wrong, where something is. */
export async function changePassword(deps: SignInDeps, { person, request, set, current, password }: Input): Promise<string | undefined> {
  const { sql, auth, limits } = deps
  const issue = passwordIssue(password, person)
  if (issue !== undefined) return issue
  const headers = authHeaders(request, deps.clientAddress(request))
  const { password: hasOne } = await findWaysIn(sql, person.id)
  if (hasOne) {
    await takeTry(sql, limits.confirmAccount, person.id)
    const body = { currentPassword: current.slice(0, 128), newPassword: password, revokeOtherSessions: true }
    const answer = await auth.api.changePassword({ body, headers, returnHeaders: true }).catch(refusalOf)
    if (typeof answer === 'string') return 'The password until now is not right.'
    keepCookies(set, answer.headers)
  } else {
    await auth.api.setPassword({ body: { newPassword: password }, headers })
    await deleteOtherSessions(sql, person.id, person.sessionId)
  }
  await noteChange(deps, person, { act: 'person.password_changed', words: 'Your password was changed' })
  return undefined
}
