import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { addCookie } from './ask-auth'
import { cookiePrefix } from './create-auth'

type Settable = { headers: Record<string, unknown> }
type Deps = { secure: boolean; authSecret: string }

const hourSeconds = 3_600
const yearSeconds = 365 * 24 * hourSeconds

const signUpCookie = (secure: boolean): string => `${cookiePrefix(secure)}.sign_up`

/** Lets the browser that signed up confirm the address without the password: what it holds is made of the person's id. */
export function rememberSignUp({ secure, authSecret }: Deps, set: Settable, personId: string): void {
  addCookie(set, `${signUpCookie(secure)}=${proofOf(authSecret, `sign-up:${personId}`)}; ${attributes(secure, hourSeconds)}`)
}

export const signedUpHere = ({ secure, authSecret }: Deps, request: Request, personId: string): boolean =>
  isSame(readCookie(request, signUpCookie(secure)) ?? '', proofOf(authSecret, `sign-up:${personId}`))

const knownCookie = (secure: boolean): string => `${cookiePrefix(secure)}.known_browser`

/** Lets a browser that has signed in to an account keep tries of its own there, whoever tries it elsewhere (OWASP: device cookies). */
export function rememberBrowser({ secure, authSecret }: Deps, set: Settable, email: string): void {
  const id = randomBytes(16).toString('base64url')
  addCookie(set, `${knownCookie(secure)}=${id}.${proofOf(authSecret, browserOf(id, email))}; ${attributes(secure, yearSeconds)}`)
}

/** The id of the browser, where it has signed in to this account before; what it was given for another counts for nothing. */
export function knownBrowser({ secure, authSecret }: Deps, request: Request, email: string): string | undefined {
  const [id = '', proof = ''] = (readCookie(request, knownCookie(secure)) ?? '').split('.')
  return isSame(proof, proofOf(authSecret, browserOf(id, email))) ? id : undefined
}

const browserOf = (id: string, email: string): string => `known-browser:${id}:${email}`

const attributes = (secure: boolean, seconds: number): string =>
  `Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`

const proofOf = (secret: string, of: string): string => createHmac('sha256', secret).update(of).digest('base64url')

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
