import { createHmac, timingSafeEqual } from 'node:crypto'
import { addCookie } from './ask-auth'
import { cookiePrefix } from './create-auth'

type Settable = { headers: Record<string, unknown> }
type Deps = { secure: boolean; authSecret: string }

const hourSeconds = 3_600

const signUpCookie = (secure: boolean): string => `${cookiePrefix(secure)}.sign_up`

/** Lets the browser that signed up confirm the address without the password: what it holds is made of the person's id. */
export function rememberSignUp({ secure, authSecret }: Deps, set: Settable, personId: string): void {
  const attributes = `Max-Age=${hourSeconds}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  addCookie(set, `${signUpCookie(secure)}=${proofOf(authSecret, personId)}; ${attributes}`)
}

export function signedUpHere({ secure, authSecret }: Deps, request: Request, personId: string): boolean {
  const given = Buffer.from(readCookie(request, signUpCookie(secure)) ?? '')
  const wanted = Buffer.from(proofOf(authSecret, personId))
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

const proofOf = (secret: string, personId: string): string => createHmac('sha256', secret).update(`sign-up:${personId}`).digest('base64url')

export function readCookie(request: Request, name: string): string | undefined {
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}
