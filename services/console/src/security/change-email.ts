import { authErrorCode, authHeaders } from '../auth/auth-request'
import type { Person } from '../http/person'
import { enforceLimit } from '../limits/enforce-limit'
import { parseEmailAddress } from '../people/email-address'
import { signUpIssue } from '../people/sign-up-rules'
import type { SignInDeps } from '../sign-in/deps'
import { withMinDuration } from '../sign-in/with-min-duration'

const answerAfterMs = 300

/**
 * Mails a link to the new address. An address that is taken gets no link, but the same answer. Returns any other fault.
 */
export async function changeEmail(
  deps: SignInDeps,
  input: { person: Person; request: Request; text: string },
): Promise<string | undefined> {
  const { person, request, text } = input
  const { sql, auth, limits, clientAddress, signUpRules } = deps
  const newEmail = parseEmailAddress(text)
  if (newEmail === undefined) return 'This is not a valid e-mail address.'
  if (newEmail === person.email) return 'That is your address already.'
  const issue = signUpIssue(signUpRules, newEmail)
  if (issue !== undefined) return issue
  await enforceLimit(sql, limits.mailAccount, person.id)
  const headers = authHeaders(request, clientAddress(request))
  await withMinDuration(answerAfterMs, auth.api.changeEmail({ body: { newEmail }, headers }).catch(authErrorCode))
  return undefined
}
