import { authHeaders, keepCookies, refusalOf } from '../../auth/ask-auth'
import { readCookie, rememberBrowser } from '../../auth/cookies'
import { cookiePrefix } from '../../auth/create-auth'
import { takeTry } from '../../limits/take-try'
import { findPersonById, type PersonRow } from '../../people/person-repository'
import type { SignInDeps } from '../deps'
import { endFormerSession } from '../end-former-session'
import { noteSignIn } from '../note-act'
import { noteRefusal, takeSignInTry } from '../note-refusal'

type Input = { request: Request; set: { headers: Record<string, unknown> }; code: string }
export type SecondOutcome = 'signed_in' | 'refused' | 'ended'

/** What an authenticator shows; else it is a backup code. */
export const isDigits = (code: string): boolean => /^\d{6}$/.test(code)

/** Six digits of the authenticator, each good once, or a backup code. */
export async function takeSecondFactor(deps: SignInDeps, { request, set, code }: Input): Promise<SecondOutcome> {
  const { sql, limits, clientAddress } = deps
  const address = clientAddress(request)
  await takeSignInTry(deps, limits.signInAddress, address, { address })
  const waiting = await findWaiting(deps, request)
  if (!waiting) return 'ended'
  const { person, challenge } = waiting
  const tried = { email: person.email, address }
  await takeSignInTry(deps, limits.secondAccount, person.id, tried)
  const plain = code.replaceAll(/\s/g, '')
  const isTotp = isDigits(plain)
  const answer = isTotp && !(await takeCode(deps, person.id, plain)) ? 'used before' : await askLibrary(deps, { request, challenge, plain })
  if (answer === 'INVALID_TWO_FACTOR_COOKIE') return 'ended'
  if (typeof answer === 'string') {
    noteRefusal(deps, { ...tried, reason: 'second_factor' })
    return 'refused'
  }
  keepCookies(set, answer.headers)
  await endFormerSession(deps, request)
  rememberBrowser(deps, set, person.email)
  await noteSignIn(sql, { ...person, address }, 'person.signed_in', isTotp ? 'password and code' : 'password and backup code')
  return 'signed_in'
}

/**
 * Shows the library the challenge and no other cookie: with a session it would hold the code against the session's person. What begins no
 * session is no sign-in.
 */
async function askLibrary(
  { auth, clientAddress, secure }: SignInDeps,
  { request, challenge, plain }: { request: Request; challenge: string; plain: string },
) {
  const headers = authHeaders(request, clientAddress(request))
  headers.set('cookie', `${challengeCookie(secure)}=${challenge}`)
  const options = { headers, body: { code: plain }, returnHeaders: true as const }
  const answer = await (isDigits(plain) ? auth.api.verifyTOTP(options) : auth.api.verifyBackupCode(options)).catch(refusalOf)
  if (typeof answer === 'string') return answer
  const begins = answer.headers.getSetCookie().some(line => line.startsWith(`${cookiePrefix(secure)}.session_token=`))
  return begins ? answer : 'INVALID_TWO_FACTOR_COOKIE'
}

/** False where the code was tried before: whoever looked over a shoulder can't use it again (ASVS 2.8.4). */
export async function takeCode({ sql, limits }: Pick<SignInDeps, 'sql' | 'limits'>, personId: string, code: string): Promise<boolean> {
  return takeTry(sql, limits.codeOnce, `${personId}\n${code}`).then(
    () => true,
    () => false,
  )
}

const challengeCookie = (secure: boolean): string => `${cookiePrefix(secure)}.two_factor`

/** Whose password was right some minutes ago in this browser, by the cookie as it was sent. */
async function findWaiting(
  { auth, sql, secure }: SignInDeps,
  request: Request,
): Promise<{ person: PersonRow; challenge: string } | undefined> {
  const challenge = readCookie(request, challengeCookie(secure)) ?? ''
  const [identifier] = decoded(challenge).split('.')
  if (!identifier) return undefined
  const { internalAdapter } = await auth.$context
  const waiting = await internalAdapter.findVerificationValue(identifier)
  const person = waiting && waiting.expiresAt > new Date() ? await findPersonById(sql, waiting.value) : undefined
  return person && { person, challenge }
}

/** '' where it is no encoding of text. */
function decoded(cookie: string): string {
  try {
    return decodeURIComponent(cookie)
  } catch {
    return ''
  }
}
