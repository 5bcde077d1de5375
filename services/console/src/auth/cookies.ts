import { randomBytes } from 'node:crypto'
import type { Secrets } from '@filmgate/kit/environment/secrets'
import { addCookie } from './auth-request'
import { cookiePrefix } from './create-auth'
import { signatureOf, signersOf } from './signature'

type Settable = { headers: Record<string, unknown> }
type Deps = { secure: boolean; authSecrets: Secrets }

const hourSeconds = 3_600
const yearSeconds = 365 * 24 * hourSeconds

const signUpCookie = (secure: boolean): string => `${cookiePrefix(secure)}.sign_up`

/** Sets a signed cookie, so that the browser that signed up can confirm the address without the password. */
export function rememberSignUp({ secure, authSecrets }: Deps, set: Settable, personId: string): void {
  addCookie(set, `${signUpCookie(secure)}=${signatureOf(authSecrets[0], `sign-up:${personId}`)}; ${cookieAttributes(secure, hourSeconds)}`)
}

export const hasSignUpCookie = ({ secure, authSecrets }: Deps, request: Request, personId: string): boolean =>
  signersOf(authSecrets, `sign-up:${personId}`, readCookie(request, signUpCookie(secure)) ?? '').length > 0

const knownCookie = (secure: boolean): string => `${cookiePrefix(secure)}.known_browser`

/**
 * Sets a device cookie (OWASP). Sign-in attempts from a known browser have their own limit, so that attempts from
 * elsewhere can't lock it out.
 */
export function rememberBrowser({ secure, authSecrets }: Deps, set: Settable, email: string): void {
  const id = randomBytes(16).toString('base64url')
  addCookie(
    set,
    `${knownCookie(secure)}=${id}.${signatureOf(authSecrets[0], browserOf(id, email))}; ${cookieAttributes(secure, yearSeconds)}`,
  )
}

/**
 * The id of a browser that has signed in to this account before. A cookie that was issued for another account doesn't
 * count.
 */
export function knownBrowser({ secure, authSecrets }: Deps, request: Request, email: string): string | undefined {
  const [id = '', signature = ''] = (readCookie(request, knownCookie(secure)) ?? '').split('.')
  return signersOf(authSecrets, browserOf(id, email), signature).length > 0 ? id : undefined
}

const browserOf = (id: string, email: string): string => `known-browser:${id}:${email}`

export const cookieAttributes = (secure: boolean, seconds: number): string =>
  `Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`

export function readCookie(request: Request, name: string): string | undefined {
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}
