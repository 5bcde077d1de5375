import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { addCookie } from './auth-request'
import { cookiePrefix } from './create-auth'

type Settable = { headers: Record<string, unknown> }
type Deps = { secure: boolean; authSecret: string }

const hourSeconds = 3_600
const yearSeconds = 365 * 24 * hourSeconds

const signUpCookie = (secure: boolean): string => `${cookiePrefix(secure)}.sign_up`

/** Sets a signed cookie, so that the browser that signed up can confirm the address without the password. */
export function rememberSignUp({ secure, authSecret }: Deps, set: Settable, personId: string): void {
  addCookie(set, `${signUpCookie(secure)}=${signatureOf(authSecret, `sign-up:${personId}`)}; ${attributes(secure, hourSeconds)}`)
}

export const hasSignUpCookie = ({ secure, authSecret }: Deps, request: Request, personId: string): boolean =>
  isSame(readCookie(request, signUpCookie(secure)) ?? '', signatureOf(authSecret, `sign-up:${personId}`))

const knownCookie = (secure: boolean): string => `${cookiePrefix(secure)}.known_browser`

/**
 * Sets a device cookie (OWASP). Sign-in attempts from a known browser have their own limit, so that attempts from
 * elsewhere can't lock it out.
 */
export function rememberBrowser({ secure, authSecret }: Deps, set: Settable, email: string): void {
  const id = randomBytes(16).toString('base64url')
  addCookie(set, `${knownCookie(secure)}=${id}.${signatureOf(authSecret, browserOf(id, email))}; ${attributes(secure, yearSeconds)}`)
}

/**
 * The id of a browser that has signed in to this account before. A cookie that was issued for another account doesn't
 * count.
 */
export function knownBrowser({ secure, authSecret }: Deps, request: Request, email: string): string | undefined {
  const [id = '', signature = ''] = (readCookie(request, knownCookie(secure)) ?? '').split('.')
  return isSame(signature, signatureOf(authSecret, browserOf(id, email))) ? id : undefined
}

const browserOf = (id: string, email: string): string => `known-browser:${id}:${email}`

const attributes = (secure: boolean, seconds: number): string =>
  `Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`

const signatureOf = (secret: string, of: string): string => createHmac('sha256', secret).update(of).digest('base64url')

function isSame(one: string, other: string): boolean {
  const [given, wanted] = [Buffer.from(one), Buffer.from(other)]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

export function readCookie(request: Request, name: string): string | undefined {
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}
