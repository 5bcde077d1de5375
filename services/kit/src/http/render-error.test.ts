import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { ClientGoneError, Failure, invariant } from '../failure'
import { renderError } from './render-error'

const reasons = {
  invalid_request: [400, 'The request has a fault.'],
  invalid_json: [400, 'Not JSON.'],
  not_found: [404, 'No such route.'],
  no_token: [401, 'Send a token.'],
  too_many: [429, 'Too many.'],
  unavailable: [503, 'Not now.'],
  internal_error: [500, 'Something went wrong.'],
} as const

const logged: object[] = []
const log = {
  error(fields: object) {
    logged.push(fields)
  },
}
const app = new Elysia({ normalize: false })
  .use(
    renderError(log, reasons, {
      wordsFor: (reason, { headers }) => (reason === 'unavailable' && headers.has('x-patient') ? 'Be patient.' : undefined),
    }),
  )
  .get('/known', () => {
    throw new Failure('too_many', {
      retryAfterSeconds: 7,
      details: { limit: 3 },
      internal: 'secret words',
      cause: new Error('upstream words'),
    })
  })
  .get('/reworded', () => {
    throw new Failure('too_many', { message: 'Far too many.' })
  })
  .get('/no-token', () => {
    throw new Failure('no_token')
  })
  .get('/unavailable', () => {
    throw new Failure('unavailable')
  })
  .get('/left', () => {
    throw new ClientGoneError()
  })
  .get('/unknown-reason', () => {
    throw new Failure('no_such_reason', { internal: 'secret words' })
  })
  .get('/bug', () => {
    throw Object.assign(new Error('secret words'), { code: 'ECONNREFUSED', status: 418 })
  })
  .get('/invariant', () => {
    invariant(false, 'secret words')
  })
  .post('/body', ({ body }) => body, { body: Type.Object({ n: Type.Integer() }) })

async function call(path: string, init?: RequestInit) {
  const response = await app.handle(new Request(`http://localhost${path}`, init))
  const { headers } = response
  return { status: response.status, type: headers.get('content-type'), retryAfter: headers.get('retry-after'), body: await response.json() }
}

const json = (body: string) => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body })

test('a known failure has its status, its words, its details and Retry-After, and nothing else of it', async () => {
  expect(await call('/known')).toEqual({
    status: 429,
    type: 'application/json',
    retryAfter: '7',
    body: { error: { code: 'too_many', message: 'Too many.', details: { limit: 3 } } },
  })
  expect(logged.at(-1)).toMatchObject({ reason: 'too_many', path: '/known' })
})

test('a failure may say more than the table', async () => {
  expect((await call('/reworded')).body).toEqual({ error: { code: 'too_many', message: 'Far too many.' } })
})

test.each(['/bug', '/invariant', '/unknown-reason'])('%s is 500 with fixed words; the detail goes to the log only', async path => {
  const seen = logged.length
  expect(await call(path)).toEqual({
    status: 500,
    type: 'application/json',
    retryAfter: null,
    body: { error: { code: 'internal_error', message: 'Something went wrong.' } },
  })
  expect(logged.slice(seen)).toMatchObject([{ err: expect.any(Error), method: 'GET', path }])
})

test('what the framework refuses has the same form', async () => {
  expect(await call('/nowhere')).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
  expect(await call('/body', json('{'))).toMatchObject({ status: 400, body: { error: { code: 'invalid_json' } } })
  expect(await call('/body', json('{"n":"x"}'))).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_request', message: 'The request has a fault.' } },
  })
})

test('every 503 says when to come again, in words of the service for the request', async () => {
  expect(await call('/unavailable')).toMatchObject({ status: 503, retryAfter: '5', body: { error: { message: 'Not now.' } } })
  expect((await call('/unavailable', { headers: { 'x-patient': 'yes' } })).body).toMatchObject({ error: { message: 'Be patient.' } })
})

test('a refusal of the token says how to show one, as RFC 6750 has it', async () => {
  const challenge = async (headers: Record<string, string>) =>
    (await app.handle(new Request('http://localhost/no-token', { headers }))).headers.get('www-authenticate')
  const withoutToken: Record<string, string>[] = [{}, { authorization: 'Basic x' }, { authorization: 'x' }, { authorization: 'Bearer "x"' }]
  for (const none of withoutToken) expect(await challenge(none)).toBe('Bearer realm="filmgate"')
  expect(await challenge({ authorization: 'Bearer x' })).toBe('Bearer realm="filmgate", error="invalid_token"')
})

test('a client that left is 499 and nothing in the log', async () => {
  const seen = logged.length
  expect((await call('/left')).status).toBe(499)
  expect(logged).toHaveLength(seen)
})
