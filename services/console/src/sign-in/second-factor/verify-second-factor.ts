import { authErrorCode, authHeaders, forwardCookies } from '../../auth/auth-request'
import { readCookie, rememberBrowser } from '../../auth/cookies'
import { cookiePrefix } from '../../auth/create-auth'
import { enforceLimit } from '../../limits/enforce-limit'
import { findPersonById, type PersonRow } from '../../people/person-repository'
import { prepareSecondFactor } from '../../secrets/renew-second-factor'
import type { SignInDeps } from '../deps'
import { endPreviousSession } from '../end-previous-session'
import { enforceSignInLimit, recordRefusedSignIn } from '../record-refused-sign-in'
import { recordSignIn } from '../record-security-change'

type Input = { request: Request; set: { headers: Record<string, unknown> }; code: string }
export type SecondFactorOutcome = 'signed_in' | 'refused' | 'ended'

/** A code of the authenticator; everything else is a backup code. */
export const isTotpCode = (code: string): boolean => /^\d{6}$/.test(code)

/** Verifies a six-digit code, each valid once, or a backup code. */
export async function verifySecondFactor(deps: SignInDeps, { request, set, code }: Input): Promise<SecondFactorOutcome> {
  const { sql, limits, clientAddress } = deps
  const address = clientAddress(request)
  await enforceSignInLimit(deps, limits.signInAddress, address, { address })
  const pending = await findPendingSignIn(deps, request)
  if (!pending) return 'ended'
  const { person, challenge } = pending
  const tried = { email: person.email, address }
  await enforceSignInLimit(deps, limits.secondAccount, person.id, tried)
  await prepareSecondFactor(deps, person.id)
  const plain = code.replaceAll(/\s/g, '')
  const isTotp = isTotpCode(plain)
  const answer =
    isTotp && !(await isUnusedCode(deps, person.id, plain)) ? 'used before' : await verifyWithLibrary(deps, { request, challenge, plain })
  if (answer === 'INVALID_TWO_FACTOR_COOKIE') return 'ended'
  if (typeof answer === 'string') {
    recordRefusedSignIn(deps, { ...tried, reason: 'second_factor' })
    return 'refused'
  }
  forwardCookies(set, answer.headers)
  await endPreviousSession(deps, request)
  rememberBrowser(deps, set, person.email)
  await recordSignIn(sql, { ...person, address }, 'person.signed_in', isTotp ? 'password and code' : 'password and backup code')
  return 'signed_in'
}

/**
 * Sends only the challenge cookie: with a session cookie, better-auth would check the code against the session's
 * person. A response without a new session is no sign-in.
 */
async function verifyWithLibrary(
  { auth, clientAddress, secure }: SignInDeps,
  { request, challenge, plain }: { request: Request; challenge: string; plain: string },
) {
  const headers = authHeaders(request, clientAddress(request))
  headers.set('cookie', `${challengeCookie(secure)}=${challenge}`)
  const options = { headers, body: { code: plain }, returnHeaders: true as const }
  const answer = await (isTotpCode(plain) ? auth.api.verifyTOTP(options) : auth.api.verifyBackupCode(options)).catch(authErrorCode)
  if (typeof answer === 'string') return answer
  const begins = answer.headers.getSetCookie().some(line => line.startsWith(`${cookiePrefix(secure)}.session_token=`))
  return begins ? answer : 'INVALID_TWO_FACTOR_COOKIE'
}

/** False if the code was used before, so that an observed code can't be reused (ASVS 2.8.4). */
export async function isUnusedCode({ sql, limits }: Pick<SignInDeps, 'sql' | 'limits'>, personId: string, code: string): Promise<boolean> {
  return enforceLimit(sql, limits.codeOnce, `${personId}\n${code}`).then(
    () => true,
    () => false,
  )
}

const challengeCookie = (secure: boolean): string => `${cookiePrefix(secure)}.two_factor`

/** The person whose password this browser gave some minutes ago, from the cookie. */
async function findPendingSignIn(
  { auth, sql, secure }: SignInDeps,
  request: Request,
): Promise<{ person: PersonRow; challenge: string } | undefined> {
  const challenge = readCookie(request, challengeCookie(secure)) ?? ''
  const [identifier] = decoded(challenge).split('.')
  if (!identifier) return undefined
  const { internalAdapter } = await auth.$context
  const pending = await internalAdapter.findVerificationValue(identifier)
  const person = pending && pending.expiresAt > new Date() ? await findPersonById(sql, pending.value) : undefined
  return person && { person, challenge }
}

/** '' for invalid encodings. */
function decoded(cookie: string): string {
  try {
    return decodeURIComponent(cookie)
  } catch {
    return ''
  }
}
