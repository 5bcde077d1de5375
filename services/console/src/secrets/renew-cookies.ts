import type { Secrets } from '@filmgate/kit/environment/secrets'
import { Elysia } from 'elysia'
import { addCookie } from '../auth/auth-request'
import { cookieAttributes } from '../auth/cookies'
import { cookiePrefix, sessionLifeSeconds } from '../auth/create-auth'
import { signatureOf, signersOf } from '../auth/signature'

export type RenewCookiesDeps = { authSecrets: Secrets; secure: boolean }

/**
 * Plugin for the time of a rotation: better-auth knows one secret alone. Its cookies that another accepted one has signed are signed with the
 * first before anything reads them. The browser gets its session's cookie so, which outlives that other secret then.
 */
export function renewCookies({ authSecrets, secure }: RenewCookiesDeps) {
  const plugin = new Elysia({ name: 'renew-cookies' })
  if (authSecrets.length === 1) return plugin
  const ours = `${cookiePrefix(secure)}.`
  return plugin.onRequest(function renewCookies({ request, set }) {
    const cookies = (request.headers.get('cookie') ?? '').split(';').map(cookie => cookie.trim())
    const renewed = cookies.map(cookie => (cookie.startsWith(ours) ? renewCookie(authSecrets, cookie) : cookie))
    if (renewed.every((cookie, place) => cookie === cookies[place])) return
    request.headers.set('cookie', renewed.join('; '))
    const session = renewed.find((cookie, place) => cookie !== cookies[place] && cookie.startsWith(`${ours}session_token=`))
    if (session) addCookie(set, `${session}; ${cookieAttributes(secure, sessionLifeSeconds)}`)
  })
}

/** The same cookie, signed with the first secret where another one has signed it. */
function renewCookie(secrets: Secrets, cookie: string): string {
  const at = cookie.indexOf('=') + 1
  const value = decoded(cookie.slice(at))
  const dot = value.lastIndexOf('.')
  const [text, signature] = [value.slice(0, dot), value.slice(dot + 1)]
  const signers = dot < 0 ? [] : signersOf(secrets, text, signature, 'base64')
  if (signers.length === 0 || signers.includes(secrets[0])) return cookie
  return `${cookie.slice(0, at)}${encodeURIComponent(`${text}.${signatureOf(secrets[0], text, 'base64')}`)}`
}

/** '' for invalid encodings. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}
