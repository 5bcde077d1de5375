import { expect, test } from 'bun:test'
import { type Prompt, signIn } from './device-flow'
import { discover, type Fetch } from './discover'

const server = { deviceAuthorizationEndpoint: 'https://console.example/device/code', tokenEndpoint: 'https://console.example/token' }
const started = {
  device_code: 'secret-code',
  user_code: 'BCDF-GHJK',
  verification_uri: 'https://console.example/device',
  expires_in: 60,
  interval: 5,
}
const { signal } = new AbortController()

/** A console that answers the polls one after another, and what was asked of it. Waiting moves the clock. */
function consoleThat(polls: (object | number)[], start: object = started) {
  const asked: Record<string, string>[] = []
  const waits: number[] = []
  let nowMs = 0
  const fetch: Fetch = async (url, { body }) => {
    asked.push(Object.fromEntries(new URLSearchParams(String(body))))
    if (url === server.deviceAuthorizationEndpoint) return Response.json(start)
    const next = polls.shift() ?? { error: 'authorization_pending' }
    if (next === 0) throw new TypeError('no network')
    if (typeof next === 'number') return new Response('', { status: next })
    return Response.json(next, { status: 'access_token' in next ? 200 : 400 })
  }
  const wait = async (ms: number) => {
    waits.push(ms)
    nowMs += ms
  }
  const prompts: Prompt[] = []
  const run = () => signIn(server, { fetch, signal, wait, now: () => nowMs }, prompt => prompts.push(prompt))
  return { run, asked, waits, prompts }
}

const approved = { access_token: 'sk_live_new', token_type: 'Bearer', account: 'Studio' }

test('the code is shown, and polls come at the interval until somebody approves', async () => {
  const { run, asked, waits, prompts } = consoleThat([{ error: 'authorization_pending' }, approved])
  expect(await run()).toEqual({ key: 'sk_live_new', account: 'Studio' })
  expect(prompts).toEqual([{ userCode: 'BCDF-GHJK', verificationUrl: 'https://console.example/device', expiresInSeconds: 60 }])
  expect(waits).toEqual([5_000, 5_000])
  const poll = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: 'secret-code', client_id: 'filmgate-cli' }
  expect(asked).toEqual([{ client_id: 'filmgate-cli', device_name: expect.any(String) }, poll, poll])
})

test('slow_down adds five seconds for good; a server that is away doubles the interval', async () => {
  const slow = consoleThat([{ error: 'slow_down' }, { error: 'authorization_pending' }, approved])
  await slow.run()
  expect(slow.waits).toEqual([5_000, 10_000, 10_000])
  const away = consoleThat([0, 502, approved])
  await away.run()
  expect(away.waits).toEqual([5_000, 10_000, 20_000])
})

test('an interval that the server leaves out is five seconds', async () => {
  const { interval: _, ...without } = started
  const { run, waits } = consoleThat([approved], without)
  await run()
  expect(waits).toEqual([5_000])
})

test('refused, expired, and the end of the time end it, each with its code', async () => {
  await expect(consoleThat([{ error: 'access_denied' }]).run()).rejects.toMatchObject({ code: 'access_denied', exit: 4 })
  await expect(consoleThat([{ error: 'expired_token' }]).run()).rejects.toMatchObject({ code: 'expired_token', exit: 4 })
  await expect(consoleThat([]).run()).rejects.toMatchObject({ code: 'expired_token' })
  await expect(consoleThat([{ error: 'invalid_client', error_description: 'Who?' }]).run()).rejects.toMatchObject({
    code: 'invalid_client',
    message: 'Who?',
  })
})

test('where to sign in is read at the origin of the API, and must be safe', async () => {
  const metadata = {
    issuer: 'https://gateway.example',
    device_authorization_endpoint: server.deviceAuthorizationEndpoint,
    token_endpoint: server.tokenEndpoint,
  }
  const asked: string[] = []
  const answering =
    (body: object, status = 200): Fetch =>
    async url => {
      asked.push(url)
      return Response.json(body, { status })
    }
  expect(await discover('https://gateway.example/api/v1', answering(metadata), signal)).toEqual(server)
  expect(asked).toEqual(['https://gateway.example/.well-known/oauth-authorization-server'])
  const unavailable = { code: 'login_unavailable' }
  await expect(discover('http://gateway.example/api/v1', answering(metadata), signal)).rejects.toMatchObject(unavailable)
  await expect(discover('https://gateway.example/api/v1', answering({}, 404), signal)).rejects.toMatchObject(unavailable)
  await expect(
    discover('https://gateway.example/api/v1', answering({ ...metadata, token_endpoint: 'http://evil.example' }), signal),
  ).rejects.toMatchObject(unavailable)
  await expect(
    discover('https://gateway.example/api/v1', answering({ ...metadata, token_endpoint: 'javascript:1' }), signal),
  ).rejects.toMatchObject(unavailable)
  await discover('http://127.0.0.1:4100/api/v1', answering({ ...metadata, token_endpoint: 'http://localhost:4106/token' }), signal)
})
