import { exitCodes, Failure } from '../terminal/failure'

/** What RFC 8414 says of the server that signs people in. */
export type AuthorizationServer = { deviceAuthorizationEndpoint: string; tokenEndpoint: string }

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

const timeoutMs = 30_000

/** Reads where to sign in from the gateway's origin. */
export async function discover(apiUrl: string, fetch: Fetch, signal: AbortSignal): Promise<AuthorizationServer> {
  const address = new URL('/.well-known/oauth-authorization-server', apiUrl)
  if (!isSafe(address)) throw notOffered(`${address.origin} is not https, and a new key would cross the network readable.`)
  const answer = await send(fetch, address.href, { signal })
  if (answer.status === 404) throw notOffered(`${address.origin} offers no sign-in for programs.`)
  const read = answer.body as Record<string, unknown> | undefined
  const endpoints = [read?.device_authorization_endpoint, read?.token_endpoint]
  const [device, token] = endpoints.map(value => (typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined))
  if (answer.status !== 200 || !device || !token) throw notOffered(`${address.href} is not understood (${answer.status}).`)
  if (!isSafe(device) || !isSafe(token)) throw notOffered('The sign-in is not at an https address.')
  return { deviceAuthorizationEndpoint: device.href, tokenEndpoint: token.href }
}

const loopback = /^(localhost|127(\.\d+){3}|\[::1\]|.*\.localhost)$/

/** Whether what is sent there stays unreadable on the way. */
const isSafe = (url: URL) => url.protocol === 'https:' || (url.protocol === 'http:' && loopback.test(url.hostname))

const notOffered = (message: string) =>
  new Failure(message, {
    exit: exitCodes.failed,
    code: 'login_unavailable',
    hints: [
      'Make a key in the console (API keys) and run `filmgate login --with-key --url URL`, which reads it from stdin.',
      'Or set FILMGATE_API_KEY and FILMGATE_URL.',
    ],
  })

/** An answer with its JSON, undefined where it is none. A redirect is not followed. Throws where there is no answer. */
export async function send(fetch: Fetch, url: string, init: RequestInit & { signal: AbortSignal }) {
  const signal = AbortSignal.any([init.signal, AbortSignal.timeout(timeoutMs)])
  const response = await fetch(url, { ...init, signal, redirect: 'manual', headers: { accept: 'application/json', ...init.headers } })
  const text = await response.text()
  return { status: response.status, body: parsed(text) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
