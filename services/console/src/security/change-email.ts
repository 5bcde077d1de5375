import { authHeaders, refusalOf } from '../auth/ask-auth'
import type { Person } from '../door/person'
import { takeTry } from '../limits/take-try'
import { emailAddress } from '../people/email-address'
import { issueOf } from '../people/sign-up-rules'
import type { SignInDeps } from '../sign-in/deps'
import { noSooner } from '../sign-in/no-sooner'

const answerAfterMs = 300

/** Mails a link to the new address; one that belongs to somebody gets none, and the answer is the same. What is wrong with it otherwise. */
export async function changeEmail(
  deps: SignInDeps,
  input: { person: Person; request: Request; text: string },
): Promise<string | undefined> {
  const { person, request, text } = input
  const { sql, auth, limits, clientAddress, signUpRules } = deps
  const newEmail = emailAddress(text)
  if (newEmail === undefined) return 'This is no e-mail address.'
  if (newEmail === person.email) return 'That is your address already.'
  const issue = issueOf(signUpRules, newEmail)
  if (issue !== undefined) return issue
  await takeTry(sql, limits.mailAccount, person.id)
  const headers = authHeaders(request, clientAddress(request))
  await noSooner(answerAfterMs, auth.api.changeEmail({ body: { newEmail }, headers }).catch(refusalOf))
  return undefined
}
