import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { countAttempt } from '../limits/attempt-repository'
import { keyLimit } from '../limits/limits'
import { refusal } from '../testing/fake-gateway'
import { consoleUrl } from '../testing/open-console'
import { hashDeviceCode } from './codes'
import { deleteDeviceLoginsBefore } from './device-login-repository'
import { type DeviceConsole, deviceCodeGrant, openDeviceConsole, secret } from './testing/device-console'

let site: DeviceConsole
beforeAll(async () => {
  site = await openDeviceConsole()
})
afterAll(() => site.close())

test('a login is opened in the form of RFC 8628', async () => {
  const { status, headers, body } = await site.call('/oauth/device/code', { client_id: 'filmgate-cli' })
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(body).toEqual({
    device_code: expect.stringMatching(/^[\w-]{43}$/),
    user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
    verification_uri: `${consoleUrl}/device`,
    verification_uri_complete: `${consoleUrl}/device?user_code=${body.user_code}`,
    expires_in: 600,
    interval: 5,
  } as unknown as typeof body)
  const [row] = await site.sql<
    { stored: string }[]
  >`select device_login::text as stored from device_login where user_code = ${body.user_code ?? ''}`
  expect(row?.stored).not.toContain(body.device_code ?? '')
})

test('a poll before its interval is told to slow down, and the interval grows', async () => {
  const { device_code } = await site.open()
  const errors = [await site.poll(device_code), await site.poll(device_code), await site.poll(device_code)].map(({ body }) => body.error)
  expect(errors).toEqual(['authorization_pending', 'slow_down', 'slow_down'])
  const hash = hashDeviceCode(device_code)
  const [row] = await site.sql<{ seconds: number }[]>`select interval_seconds as seconds from device_login where device_code_hash = ${hash}`
  expect(row).toEqual({ seconds: 15 })
  await site.wait(device_code)
  expect((await site.poll(device_code)).body.error).toBe('authorization_pending')
})

test('an expired code is taken from nobody and gives nothing, also where it was approved in time', async () => {
  const account = await site.newAccount()
  const [waiting, approved] = [await site.open(), await site.open()]
  expect((await site.approve(account, approved.user_code)).status).toBe(303)
  for (const { device_code } of [waiting, approved]) {
    await site.expire(device_code)
    expect((await site.poll(device_code)).body.error).toBe('expired_token')
  }
  expect((await site.approve(account, waiting.user_code)).status).toBe(400)
  expect(account.made()).toEqual([])
  await deleteDeviceLoginsBefore(site.sql, new Date(Date.now() + 1_000))
  expect((await site.poll(waiting.device_code)).body.error).toBe('invalid_grant')
})

test('whoever left the account or lost their role meanwhile gives no key', async () => {
  for (const change of ['delete from membership where person_id = $1', "update membership set role = 'member' where person_id = $1"]) {
    const account = await site.newAccount()
    const { device_code, user_code } = await site.open()
    await site.approve(account, user_code)
    await site.sql.unsafe(change, [account.owner.id])
    for (let asked = 0; asked < 2; asked++) expect((await site.poll(device_code)).body.error).toBe('access_denied')
    expect(account.made()).toEqual([])
  }
  const account = await site.newAccount()
  const { device_code, user_code } = await site.open()
  await site.approve(account, user_code)
  await site.sql`update account set closed_at = now() where id = ${account.id}`
  expect((await site.poll(device_code)).body.error).toBe('access_denied')
})

test('what the gateway refuses is told to the caller; a lost answer spends the code, and no second key is made', async () => {
  const account = await site.newAccount()
  site.gateway.on(`POST /accounts/${account.id}/keys`, () => refusal(409, 'too_many_keys', 'An account has at most 20 keys that work.'))
  const full = await site.open()
  await site.approve(account, full.user_code)
  expect((await site.poll(full.device_code)).body).toEqual({
    error: 'access_denied',
    error_description: 'An account has at most 20 keys that work.',
  })
  expect((await site.poll(full.device_code)).body.error).toBe('access_denied')

  site.gateway.on(`POST /accounts/${account.id}/keys`, () => refusal(503, 'service_unavailable'))
  const lost = await site.open()
  await site.approve(account, lost.user_code)
  const { status, headers, body } = await site.poll(lost.device_code)
  expect([status, headers.get('retry-after'), body.error]).toEqual([503, '5', 'temporarily_unavailable'])
  expect(body.error_description).toContain('the outcome is unknown')
  site.gateway.on(`POST /accounts/${account.id}/keys`, { key_id: 'k1', api_key: secret })
  expect((await site.poll(lost.device_code)).body.error).toBe('invalid_grant')
  expect(account.made()).toHaveLength(2)
})

test('a login counts against the keys that an account may make in an hour', async () => {
  const account = await site.newAccount()
  const key = createHash('sha256').update(`${keyLimit.name}\n${account.id}`).digest('base64url')
  for (let count = 0; count < keyLimit.max; count++) await countAttempt(site.sql, key, keyLimit.windowMs)
  const { device_code, user_code } = await site.open()
  await site.approve(account, user_code)
  const { body } = await site.poll(device_code)
  expect([body.error, body.error_description?.startsWith('Too many attempts.')]).toEqual(['access_denied', true])
  expect(account.made()).toEqual([])
})

test('each malformed request is refused by the error that the RFC has for it', async () => {
  const client = { client_id: 'filmgate-cli' }
  const token = { ...client, grant_type: deviceCodeGrant, device_code: 'x' }
  const cases: [path: string, fields: Record<string, string>, status: number, error: string][] = [
    ['/oauth/device/code', {}, 400, 'invalid_request'],
    ['/oauth/device/code', { client_id: 'somebody' }, 401, 'invalid_client'],
    ['/oauth/device/code', { ...client, scope: 'admin' }, 400, 'invalid_scope'],
    ['/oauth/token', {}, 400, 'invalid_request'],
    ['/oauth/token', { ...token, client_id: 'somebody' }, 401, 'invalid_client'],
    ['/oauth/token', { ...token, client_id: '' }, 400, 'invalid_request'],
    ['/oauth/token', { ...token, grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['/oauth/token', { ...token, device_code: '' }, 400, 'invalid_request'],
    ['/oauth/token', token, 400, 'invalid_grant'],
  ]
  for (const [path, fields, status, error] of cases) {
    const answer = await site.call(path, fields)
    expect([path, fields, answer.status, answer.body.error]).toEqual([path, fields, status, error])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  }
  for (const path of ['/oauth/device/code', '/oauth/token']) {
    const json = await site.call(path, {}, { headers: { 'content-type': 'application/json' }, body: JSON.stringify(token) })
    const twice = await site.call(path, {}, { body: `${new URLSearchParams(token)}&client_id=filmgate-cli` })
    const hostile = await site.call(path, {}, { body: 'client_id=filmgate-cli&device_name=%00' })
    const large = await site.call(path, {}, { body: `device_name=${'x'.repeat(70_000)}` })
    expect([json, twice, hostile, large].map(({ status, body }) => [status, body.error])).toEqual([
      [400, 'invalid_request'],
      [400, 'invalid_request'],
      [400, 'invalid_request'],
      [413, 'invalid_request'],
    ])
  }
})

test('a network polls only so often', async () => {
  const address = '203.0.113.88'
  for (let count = 0; count < 600; count++) await site.call('/oauth/token', {}, { address })
  const refused = await site.poll('x', { address })
  expect([refused.status, refused.body.error, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, 'slow_down', true])
  expect((await site.poll('x')).body.error).toBe('invalid_grant')
})

test('the metadata names the endpoints and the issuer that it is read at', async () => {
  const answer = await site.handle(new Request(`${consoleUrl}/.well-known/oauth-authorization-server`))
  expect(await answer.json()).toEqual({
    issuer: consoleUrl,
    device_authorization_endpoint: `${consoleUrl}/oauth/device/code`,
    token_endpoint: `${consoleUrl}/oauth/token`,
    grant_types_supported: [deviceCodeGrant],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['none'],
  })
})
