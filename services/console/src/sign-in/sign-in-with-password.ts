import { pause } from '@filmgate/kit/deadline'
import { authHeaders, keepCookies, refusalOf } from '../auth/ask-auth'
import { knownBrowser, rememberBrowser } from '../auth/cookies'
import { forgetTries } from '../limits/take-try'
import { findPersonByEmail } from '../people/person-repository'
import type { SignInDeps } from './deps'
import { endFormerSession } from './end-former-session'
import { noteSignIn } from './note-act'
import { noteRefusal, takeSignInTry } from './note-refusal'

type Input = { request: Request; set: { headers: Record<string, unknown> }; email: string; password: string }
export type SignInOutcome = 'signed_in' | 'second_factor' | 'unverified' | 'refused'

/** Longer than looking at a password takes on a busy machine. */
const refusedAfterMs = 300

/**
 * An address that is unknown takes as long as a wrong password: the library hashes what was sent either way, and looks at more where it knows
 * the address, so that a refusal waits until that can't be told.
 */
export async function signInWithPassword(deps: SignInDeps, { request, set, email, password }: Input): Promise<SignInOutcome> {
  const { auth, sql, limits, clientAddress } = deps
  const startedAt = performance.now()
  const address = clientAddress(request)
  await takeSignInTry(deps, limits.signInAddress, address, { email, address })
  const browser = knownBrowser(deps, request, email)
  const [limit, who] = browser === undefined ? [limits.signInAccount, email] : [limits.signInBrowser, browser]
  await takeSignInTry(deps, limit, who, { email, address })
  const headers = authHeaders(request, address)
  const answer = await auth.api.signInEmail({ body: { email, password }, headers, returnHeaders: true }).catch(refusalOf)
  if (typeof answer === 'string') {
    await pause(startedAt + refusedAfterMs - performance.now())
    const isUnverified = answer === 'EMAIL_NOT_VERIFIED'
    noteRefusal(deps, { email, address, reason: isUnverified ? 'unverified' : 'password' })
    return isUnverified ? 'unverified' : 'refused'
  }
  keepCookies(set, answer.headers)
  await forgetTries(sql, limit, who)
  if ('twoFactorRedirect' in answer.response) return 'second_factor'
  rememberBrowser(deps, set, email)
  await endFormerSession(deps, request)
  const person = await findPersonByEmail(sql, email)
  if (person) await noteSignIn(sql, { ...person, address }, 'person.signed_in', 'password')
  return 'signed_in'
}
