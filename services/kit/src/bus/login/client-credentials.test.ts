import { afterAll, expect, test } from 'bun:test'
import { askClientCredentials } from './client-credentials'
import { askGoogleToken } from './google-token'
import { NoTokenError } from './token-login'

type TokenRequest = { path: string; authorization: string | null; flavor: string | null; form: Record<string, string> }
let asked: TokenRequest[] = []
let answer = () => Response.json({ access_token: 'a-token', token_type: 'Bearer', expires_in: 3_599 })

const issuer = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { pathname: path } = new URL(request.url)
    const { headers } = request
    const form = Object.fromEntries(new URLSearchParams(await request.text()))
    asked.push({ path, authorization: headers.get('authorization'), flavor: headers.get('metadata-flavor'), form })
    return path.endsWith('/email') ? new Response('filmgate@example.iam.gserviceaccount.com') : answer()
  },
})
const url = `http://127.0.0.1:${issuer.port}`
afterAll(() => issuer.stop(true))

const client = { tokenUrl: `${url}/token`, scope: 'kafka', clientId: () => 'file:gate', proof: { secret: () => 'sécret/1' } }

test('a client shows its secret by Basic, with id and secret encoded each', async () => {
  asked = []
  expect(await askClientCredentials(client)).toEqual({ value: 'a-token', lifeMs: 3_599_000 })
  const authorization = `Basic ${btoa('file%3Agate:s%C3%A9cret%2F1')}`
  expect(asked).toEqual([{ path: '/token', authorization, flavor: null, form: { grant_type: 'client_credentials', scope: 'kafka' } }])
})

test('a client shows an assertion in the place of a secret', async () => {
  asked = []
  await askClientCredentials({ ...client, scope: undefined, proof: { assertion: () => 'a.signed.jwt' } })
  const form = {
    grant_type: 'client_credentials',
    client_id: 'file:gate',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: 'a.signed.jwt',
  }
  expect(asked).toEqual([{ path: '/token', authorization: null, flavor: null, form }])
})

test('whoever gives no token is named with the code of the fault, and nothing else of what they say', async () => {
  const faults: [() => Response, string][] = [
    [() => Response.json({ error: 'invalid_client', error_description: 'sécret/1 is wrong' }, { status: 401 }), '401 invalid_client'],
    [() => Response.json({ error: 'sécret/1 is wrong' }, { status: 400 }), '400'],
    [() => new Response('down', { status: 503 }), '503'],
    [() => Response.json({ token_type: 'Bearer' }), '200 without a token'],
  ]
  const before = answer
  for (const [next, words] of faults) {
    answer = next
    await expect(askClientCredentials(client)).rejects.toEqual(new NoTokenError(`127.0.0.1:${issuer.port} answered ${words}`))
  }
  answer = before
  await expect(askClientCredentials({ ...client, tokenUrl: 'http://127.0.0.1:1/' })).rejects.toThrow('127.0.0.1:1 did not answer')
})

test('the metadata server of Google gives the token that brokers of Managed Kafka take', async () => {
  asked = []
  const { value, lifeMs } = await askGoogleToken(url, () => 1_700_000_000_500)
  expect(lifeMs).toBe(3_599_000)
  const [header, claims, token] = value.split('.').map(part => Buffer.from(part, 'base64url').toString())
  expect([JSON.parse(header ?? ''), JSON.parse(claims ?? ''), token]).toEqual([
    { typ: 'JWT', alg: 'GOOG_OAUTH2_TOKEN' },
    { exp: 1_700_003_599, iat: 1_700_000_000, iss: 'Google', scope: 'kafka', sub: 'filmgate@example.iam.gserviceaccount.com' },
    'a-token',
  ])
  expect(asked.map(({ path, flavor }) => [path.replace(/^.*\/service-accounts/, ''), flavor]).sort()).toEqual([
    ['/default/email', 'Google'],
    ['/default/token', 'Google'],
  ])
})
