import { afterAll, expect, test } from 'bun:test'
import { Margins } from '@filmgate/proto/operator/provider'
import { OpsFault } from './fault'
import { callFor, operatorApi } from './operator-api'

const seen: { method: string; path: string; authorization: string | null; operator: string | null; body: string }[] = []
const server = Bun.serve({
  port: 0,
  async fetch(request) {
    const { pathname } = new URL(request.url)
    const { method, headers } = request
    const [authorization, operator] = [headers.get('authorization'), headers.get('x-filmgate-operator')]
    seen.push({ method, path: pathname, authorization, operator, body: await request.text() })
    if (pathname === '/operator/refused')
      return Response.json({ error: { code: 'not_found', message: 'no such account', details: { id: 'a' } } }, { status: 404 })
    if (pathname === '/operator/margins') return Response.json({ credit_micro_usd: 10_000, data: [{ model: 'alpha-h3' }] })
    if (pathname === '/operator/unknown')
      return Response.json({ error: { code: 'operator_token_required', message: 'This operator token is not valid.' } }, { status: 401 })
    if (pathname === '/operator/broken') return new Response('<html>', { status: 502 })
    return Response.json({ fine: true })
  },
})
afterAll(() => server.stop(true))

const url = `http://127.0.0.1:${server.port}`
const call = operatorApi(
  { urls: { gateway: url, ledger: url, dispatcher: 'http://127.0.0.1:1' }, operatorToken: 'secret', tokenFrom: 'a file' },
  'Ada Å.',
)

test('a call carries the token, who asks, and its body', async () => {
  expect(await call('gateway', 'POST', '/accounts', { name: 'N' })).toEqual({ fine: true })
  expect(seen.at(-1)).toEqual({
    method: 'POST',
    path: '/operator/accounts',
    authorization: 'Bearer secret',
    operator: 'Ada%20%C3%85.',
    body: '{"name":"N"}',
  })
})

test('a refusal is told in the words of the service', async () => {
  await expect(call('ledger', 'GET', '/refused')).rejects.toThrow('The ledger refused: 404 not_found: no such account {"id":"a"}')
  await expect(call('ledger', 'GET', '/broken')).rejects.toThrow('The ledger refused: 502 <html>')
})

test('a token that a service does not know is said as such, with where it was read', async () => {
  const words =
    'The ledger does not know this operator token (FILMGATE_OPERATOR_TOKEN of a file): it was revoked, or is of another installation.'
  await expect(call('ledger', 'GET', '/unknown')).rejects.toThrow(words)
})

test('an answer in another form is a sentence that names what does not fit, and no half of it is read', async () => {
  await expect(callFor(call, Margins, 'gateway', 'GET', '/margins')).rejects.toThrow(
    'The gateway answered in another form (data.0.resolution: Expected required property)',
  )
})

test('a service that is not there is a sentence, and the call is not repeated', async () => {
  const before = seen.length
  await expect(call('dispatcher', 'GET', '/tasks/x')).rejects.toThrow(OpsFault)
  expect(seen.length).toBe(before)
})
