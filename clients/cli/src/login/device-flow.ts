import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { exitCodes, Failure } from '../terminal/failure'
import { type AuthorizationServer, type Fetch, send } from './discover'

export const clientId = 'filmgate-cli'
const grantType = 'urn:ietf:params:oauth:grant-type:device_code'
const intervalFallbackSeconds = 5
const slowDownSeconds = 5
const intervalSecondsMax = 60
const expiresSecondsMax = 3_600

/** What a person does to let the program in. */
export type Prompt = { userCode: string; verificationUrl: string; completeUrl?: string; expiresInSeconds: number }
export type SignedIn = { key: string; account: string }

type Deps = {
  fetch: Fetch
  signal: AbortSignal
  /** Waits; a test passes its own. */
  wait?(ms: number, signal: AbortSignal): Promise<unknown>
  now?(): number
}
type Started = { prompt: Prompt; deviceCode: string; intervalSeconds: number }

/** The device flow of RFC 8628: asks for a code, shows it by `show`, and polls until somebody has approved or refused it. */
export async function signIn(server: AuthorizationServer, deps: Deps, show: (prompt: Prompt) => void): Promise<SignedIn> {
  const { signal, wait = (ms, signal) => sleep(ms, undefined, { signal }), now = Date.now } = deps
  const started = await start(server, deps)
  show(started.prompt)
  const deadline = now() + started.prompt.expiresInSeconds * 1_000
  let intervalSeconds = started.intervalSeconds
  for (;;) {
    await wait(intervalSeconds * 1_000, signal)
    if (now() > deadline) throw expired()
    const step = await poll(server, deps, started.deviceCode)
    if (step === 'slow_down') intervalSeconds = Math.min(intervalSeconds + slowDownSeconds, intervalSecondsMax)
    // RFC 8628, 3.5: after a timeout the next poll comes later.
    else if (step === 'unreachable') intervalSeconds = Math.min(intervalSeconds * 2, intervalSecondsMax)
    else if (step !== 'pending') return step
  }
}

async function start(server: AuthorizationServer, { fetch, signal }: Deps): Promise<Started> {
  const answer = await send(fetch, server.deviceAuthorizationEndpoint, {
    ...form({ client_id: clientId, device_name: hostname() }),
    signal,
  })
  const body = (answer.body ?? {}) as Record<string, unknown>
  const { device_code: deviceCode, user_code: userCode, verification_uri: url, verification_uri_complete: completeUrl } = body
  if (answer.status !== 200 || typeof deviceCode !== 'string' || typeof userCode !== 'string' || !isWebUrl(url))
    throw refused(body, `The sign-in can't be started (${answer.status}).`)
  const expiresInSeconds = Math.min(seconds(body.expires_in, 600), expiresSecondsMax)
  return {
    prompt: { userCode, verificationUrl: url, ...(isWebUrl(completeUrl) && { completeUrl }), expiresInSeconds },
    deviceCode,
    intervalSeconds: Math.min(seconds(body.interval, intervalFallbackSeconds), intervalSecondsMax),
  }
}

async function poll(server: AuthorizationServer, { fetch, signal }: Deps, deviceCode: string) {
  const fields = { grant_type: grantType, device_code: deviceCode, client_id: clientId }
  const answer = await send(fetch, server.tokenEndpoint, { ...form(fields), signal }).catch(() => signal.throwIfAborted())
  if (!answer || answer.status >= 500 || answer.status === 429) return 'unreachable'
  const body = (answer.body ?? {}) as Record<string, unknown>
  if (answer.status === 200 && typeof body.access_token === 'string') return { key: body.access_token, account: accountName(body.account) }
  if (body.error === 'authorization_pending') return 'pending'
  if (body.error === 'slow_down') return 'slow_down'
  if (body.error === 'expired_token') throw expired()
  if (body.error === 'access_denied')
    throw new Failure('The sign-in was refused in the console.', { exit: exitCodes.key, code: 'access_denied' })
  throw refused(body, `The sign-in failed (${answer.status}).`)
}

const form = (fields: Record<string, string>) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
})

const seconds = (value: unknown, fallback: number) => (typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : fallback)
const isWebUrl = (value: unknown): value is string =>
  typeof value === 'string' && URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol)

function accountName(account: unknown): string {
  if (typeof account === 'string') return account
  const { name, id } = (typeof account === 'object' && account !== null ? account : {}) as Record<string, unknown>
  return typeof name === 'string' ? name : typeof id === 'string' ? id : ''
}

const expired = () =>
  new Failure('Nobody approved the sign-in in time.', {
    exit: exitCodes.key,
    code: 'expired_token',
    hints: ['Run `filmgate login` again.'],
  })

const refused = (body: Record<string, unknown>, message: string) =>
  new Failure(typeof body.error_description === 'string' ? body.error_description : message, {
    exit: exitCodes.failed,
    code: typeof body.error === 'string' ? body.error : 'login_failed',
  })
