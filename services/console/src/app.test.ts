import { expect, test } from 'bun:test'
import { createReadiness } from '@filmgate/kit/http/server'
import { createLog } from '@filmgate/kit/telemetry/log'
import { createApp, type Deps } from './app'
import { contentPolicy } from './http/headers'

const consoleUrl = 'https://console.example.com'
const log = createLog({ service: 'console', level: 'silent' })
const deps = {
  log,
  readiness: createReadiness({}),
  consoleUrl,
  secure: true,
  outputOrigins: ['https://outputs.example.com'],
  apiOrigin: 'https://api.example.com',
  uploadOrigins: ['https://uploads.example.com'],
  checkoutOrigins: [],
  authSecrets: ['only'],
  findPerson: async () => undefined,
} as Partial<Deps> as Deps
const app = createApp(deps)
const ask = (path: string, init: RequestInit = {}) =>
  app.handle(new Request(`${consoleUrl}${path}`, { ...init, headers: { accept: 'text/html', ...init.headers } }))

test('every answer says what a page may load and that nobody keeps it', async () => {
  for (const path of ['/', '/healthz', '/no/such/page']) {
    const { headers } = await ask(path)
    expect(headers.get('content-security-policy')).toBe(contentPolicy(deps))
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('strict-transport-security')).toContain('max-age=')
    expect(headers.get('x-frame-options')).toBe('DENY')
  }
  expect(contentPolicy(deps)).not.toContain('unsafe')
  expect(contentPolicy(deps)).toContain("require-trusted-types-for 'script'; trusted-types console")
})

test('a POST of another site, or of no known one, is refused before anything is looked at', async () => {
  const origins = [
    undefined,
    'null',
    'https://evil.example.com',
    'https://console.example.com.evil.example.com',
    'http://console.example.com',
  ]
  for (const path of ['/sign-out', '/accounts/a1/keys', '/no/such/page'])
    for (const origin of origins) expect((await ask(path, { method: 'POST', headers: origin ? { origin } : {} })).status).toBe(403)
  expect((await ask('/no/such/page', { method: 'POST', headers: { origin: consoleUrl } })).status).toBe(404)
})

test('a page for a person, an ErrorResponse for a script', async () => {
  const page = await ask('/no/such/page')
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  const answer = await ask('/no/such/page', { headers: { accept: 'application/json' } })
  expect(await answer.json()).toEqual({ error: { code: 'not_found', message: expect.any(String) } })
})

test('who is signed out is led to the sign-in and back, a script is told 401', async () => {
  const led = await ask('/accounts/a1?x=1')
  expect([led.status, led.headers.get('location')]).toEqual([303, '/sign-in?next=%2Faccounts%2Fa1%3Fx%3D1'])
  expect((await ask('/accounts/a1', { headers: { accept: 'application/json' } })).status).toBe(401)
})
