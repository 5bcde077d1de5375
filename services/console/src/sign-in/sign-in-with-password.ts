import { pause } from '@filmgate/kit/deadline'
import { authErrorCode, authHeaders, forwardCookies } from '../auth/auth-request'
import { knownBrowser, rememberBrowser } from '../auth/cookies'
import { resetLimit } from '../limits/enforce-limit'
import { findPersonByEmail } from '../people/person-repository'
import type { SignInDeps } from './deps'
import { endPreviousSession } from './end-previous-session'
import { enforceSignInLimit, recordRefusedSignIn } from './record-refused-sign-in'
import { recordSignIn } from './record-security-change'

type Input = { request: Request; set: { headers: Record<string, unknown> }; email: string; password: string }
export type SignInOutcome = 'signed_in' | 'second_factor' | 'unverified' | 'refused'

/** Longer than a password check takes under load. */
const refusedAfterMs = 300

/**
 * Rejections take the same time for known and unknown addresses. better-auth hashes the password either way but does
 * more work for a known address, so a rejection waits for a fixed time.
 */
export async function signInWithPassword(deps: SignInDeps, { request, set, email, password }: Input): Promise<SignInOutcome> {
  const { auth, sql, limits, clientAddress } = deps
  const startedAt = performance.now()
  const address = clientAddress(request)
  await enforceSignInLimit(deps, limits.signInAddress, address, { email, address })
  const browser = knownBrowser(deps, request, email)
  const [limit, who] = browser === undefined ? [limits.signInAccount, email] : [limits.signInBrowser, browser]
  await enforceSignInLimit(deps, limit, who, { email, address }, browser === undefined ? 'sign_in_locked' : 'too_many')
  const headers = authHeaders(request, address)
  const answer = await auth.api.signInEmail({ body: { email, password }, headers, returnHeaders: true }).catch(authErrorCode)
  if (typeof answer === 'string') {
    await pause(startedAt + refusedAfterMs - performance.now())
    const isUnverified = answer === 'EMAIL_NOT_VERIFIED'
    recordRefusedSignIn(deps, { email, address, reason: isUnverified ? 'unverified' : 'password' })
    return isUnverified ? 'unverified' : 'refused'
  }
  forwardCookies(set, answer.headers)
  await resetLimit(sql, limit, who)
  if ('twoFactorRedirect' in answer.response) return 'second_factor'
  rememberBrowser(deps, set, email)
  await endPreviousSession(deps, request)
  const person = await findPersonByEmail(sql, email)
  if (person) await recordSignIn(sql, { ...person, address }, 'person.signed_in', 'password')
  return 'signed_in'
}
