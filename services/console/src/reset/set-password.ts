import { welcome } from '../accounts/welcome'
import { authHeaders, refusalOf } from '../auth/ask-auth'
import { passwordIssue } from '../auth/common-password'
import { forgetTries, takeTry } from '../limits/take-try'
import { findPersonById } from '../people/person-repository'
import type { SignInDeps } from '../sign-in/deps'
import { noteChange } from '../sign-in/note-act'

type Input = { request: Request; token: string; password: string }
type Outcome = { outcome: 'done' | 'ended' } | { outcome: 'unfit'; issue: string; email: string }

/** Whose password a link sets; undefined where it is used up or over. */
export async function personOfLink({ auth, sql }: SignInDeps, token: string) {
  const { internalAdapter } = await auth.$context
  const waiting = await internalAdapter.findVerificationValue(`reset-password:${token}`)
  return waiting && waiting.expiresAt > new Date() ? findPersonById(sql, waiting.value) : undefined
}

/** The link is used up and all sessions end in the transaction that sets the password. Whoever had the link reads the mailbox: the address is confirmed. */
export async function setPassword(deps: SignInDeps, { request, token, password }: Input): Promise<Outcome> {
  const { auth, sql, limits, clientAddress } = deps
  const address = clientAddress(request)
  await takeTry(sql, limits.linkAddress, address)
  const person = await personOfLink(deps, token)
  if (!person) return { outcome: 'ended' }
  const issue = passwordIssue(password, person)
  if (issue !== undefined) return { outcome: 'unfit', issue, email: person.email }
  const headers = authHeaders(new Request(deps.consoleUrl), address)
  const refusal = await auth.api.resetPassword({ body: { newPassword: password, token }, headers }).then(() => undefined, refusalOf)
  if (refusal !== undefined) return { outcome: 'ended' }
  await welcome(deps, { personId: person.id, address })
  await forgetTries(sql, limits.signInAccount, person.email)
  await noteChange(
    deps,
    { ...person, address },
    { act: 'person.password_reset', words: 'Your password was changed by a link from your mailbox' },
  )
  return { outcome: 'done' }
}
