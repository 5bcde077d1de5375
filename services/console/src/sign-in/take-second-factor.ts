import { authHeaders, keepCookies, refusalOf } from '../auth/ask-auth'
import { readCookie, rememberBrowser } from '../auth/cookies'
import { cookiePrefix } from '../auth/create-auth'
import { takeTry } from '../limits/take-try'
import { findPersonById } from '../people/person-repository'
import type { SignInDeps } from './deps'
import { endFormerSession } from './end-former-session'
import { noteSignIn } from './note-act'

type Input = { request: Request; set: { headers: Record<string, unknown> }; code: string }
export type SecondOutcome = 'signed_in' | 'refused' | 'ended'

/** What an authenticator shows; else it is a backup code. */
export const isDigits = (code: string): boolean => /^\d{6}$/.test(code)

/** Six digits of the authenticator, each good once, or a backup code. */
export async function takeSecondFactor(deps: SignInDeps, { request, set, code }: Input): Promise<SecondOutcome> {
  const { auth, sql, limits, clientAddress } = deps
  const address = clientAddress(request)
  await takeTry(sql, limits.signInAddress, address)
  const personId = await personWhoWaits(deps, request)
  if (personId === undefined) return 'ended'
  await takeTry(sql, limits.secondAccount, personId)
  const plain = code.replaceAll(/\s/g, '')
  const isTotp = isDigits(plain)
  if (isTotp && !(await takeCode(deps, personId, plain))) return 'refused'
  const options = { headers: authHeaders(request, address), body: { code: plain }, returnHeaders: true as const }
  const answer = await (isTotp ? auth.api.verifyTOTP(options) : auth.api.verifyBackupCode(options)).catch(refusalOf)
  if (typeof answer === 'string') return answer === 'INVALID_TWO_FACTOR_COOKIE' ? 'ended' : 'refused'
  keepCookies(set, answer.headers)
  await endFormerSession(deps, request)
  const person = await findPersonById(sql, personId)
  if (person) {
    rememberBrowser(deps, set, person.email)
    await noteSignIn(sql, { ...person, address }, 'person.signed_in', isTotp ? 'password and code' : 'password and backup code')
  }
  return 'signed_in'
}

/** False where the code was tried before: whoever looked over a shoulder can't use it again (ASVS 2.8.4). */
export async function takeCode({ sql, limits }: Pick<SignInDeps, 'sql' | 'limits'>, personId: string, code: string): Promise<boolean> {
  return takeTry(sql, limits.codeOnce, `${personId}\n${code}`).then(
    () => true,
    () => false,
  )
}

/** Whose password was right some minutes ago in this browser. */
async function personWhoWaits({ auth, secure }: SignInDeps, request: Request): Promise<string | undefined> {
  const cookie = readCookie(request, `${cookiePrefix(secure)}.two_factor`)
  const identifier = cookie === undefined ? '' : decodeURIComponent(cookie).split('.')[0]
  if (!identifier) return undefined
  const { internalAdapter } = await auth.$context
  const waiting = await internalAdapter.findVerificationValue(identifier)
  return waiting && waiting.expiresAt > new Date() ? waiting.value : undefined
}
