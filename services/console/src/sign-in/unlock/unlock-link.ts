import { randomBytes } from 'node:crypto'
import { insertAuditEntry } from '../../audit-log/audit-entry-repository'
import { rememberBrowser } from '../../auth/cookies'
import { linkLifeSeconds } from '../../auth/create-auth'
import { unlockMail } from '../../auth/mails'
import { enforceLimit } from '../../limits/enforce-limit'
import { queueMail } from '../../mail/queue-mail'
import { findPersonByEmail, findPersonById } from '../../people/person-repository'
import type { SignInDeps } from '../deps'

type Input = { request: Request; set: { headers: Record<string, unknown> }; token: string }

/** Mails a link to a person who can sign in; others get no mail. */
export async function sendUnlockLink({ auth, sql, consoleUrl, now }: SignInDeps, email: string): Promise<void> {
  const person = await findPersonByEmail(sql, email)
  if (!person?.emailVerified) return
  const token = randomBytes(24).toString('base64url')
  const { internalAdapter } = await auth.$context
  const expiresAt = new Date(now().getTime() + linkLifeSeconds * 1_000)
  await internalAdapter.createVerificationValue({ identifier: identifierOf(token), value: person.id, expiresAt })
  await queueMail(sql, unlockMail(person, `${consoleUrl}/sign-in/unlock?token=${token}`))
}

export async function isUnlockLink({ auth }: SignInDeps, token: string): Promise<boolean> {
  const { internalAdapter } = await auth.$context
  const waiting = await internalAdapter.findVerificationValue(identifierOf(token))
  return waiting !== null && waiting.expiresAt > new Date()
}

/**
 * Whoever has the mailbox gets tries of their own in this browser, as if it had signed in before. It still needs the
 * password and the second factor. Returns false if the link was used, has expired, or ended with a change of the
 * address or the password.
 */
export async function unlockBrowser(deps: SignInDeps, { request, set, token }: Input): Promise<boolean> {
  const { auth, sql, limits, clientAddress } = deps
  const address = clientAddress(request)
  await enforceLimit(sql, limits.linkAddress, address)
  const { internalAdapter } = await auth.$context
  const waiting = await internalAdapter.consumeVerificationValue(identifierOf(token))
  const person = waiting && waiting.expiresAt > new Date() ? await findPersonById(sql, waiting.value) : undefined
  if (!person) return false
  rememberBrowser(deps, set, person.email)
  await insertAuditEntry(sql, { ...person, address }, { accountId: null, action: 'person.browser_unlocked' })
  return true
}

const identifierOf = (token: string): string => `unlock:${token}`
