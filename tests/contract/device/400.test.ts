import { expect, test } from 'bun:test'
import { askForToken, openLogin } from '../../console/people/command-line'
import { signUpByWire } from '../../console/people/sign-up'
import { newAddress, openWire } from '../../console/people/wire'
import { run } from '../../support/servers/databases'

/** The codes of RFC 6749, 5.2, and RFC 8628, 3.5, each as a client meets it. */
test('each refusal of the token endpoint has its error', async () => {
  const { wire } = await signUpByWire('Doris')
  const open = async () => (await openLogin('laptop', newAddress())).body
  const errorOf = async (fields: Record<string, string>) => {
    const { status, headers, body } = await askForToken(fields)
    expect([headers.get('cache-control'), headers.get('content-type')]).toEqual(['no-store', expect.stringContaining('application/json')])
    return [status, body.error]
  }
  const { device_code, user_code } = await open()
  expect(await errorOf({ device_code })).toEqual([400, 'authorization_pending'])
  expect(await errorOf({ device_code })).toEqual([400, 'slow_down'])
  expect(await errorOf({ device_code: '' })).toEqual([400, 'invalid_request'])
  expect(await errorOf({ device_code: 'nobody’s' })).toEqual([400, 'invalid_grant'])
  expect(await errorOf({ device_code, client_id: 'another' })).toEqual([401, 'invalid_client'])
  expect(await errorOf({ device_code, grant_type: 'authorization_code' })).toEqual([400, 'unsupported_grant_type'])

  expect((await wire.post('/device', { user_code, answer: 'deny' })).location).toBe('/device?done=denied')
  expect(await errorOf({ device_code })).toEqual([400, 'access_denied'])

  const late = await open()
  await run('console', 'update device_login set expires_at = now() where user_code = $1', [late.user_code])
  expect(await errorOf({ device_code: late.device_code })).toEqual([400, 'expired_token'])
  expect((await wire.get(`/device?user_code=${late.user_code}`)).status).toBe(400)
})

test('nobody approves without a sign-in, for an account of others, or from another site', async () => {
  const [{ wire }, other] = await Promise.all([signUpByWire('Dina'), signUpByWire('Dean')])
  const { device_code, user_code } = (await openLogin('laptop', newAddress())).body
  const form = { user_code, account: other.accountId, name: 'CLI', expires: 'never', date: '', answer: 'approve' }
  expect((await openWire().get(`/device?user_code=${user_code}`)).location).toBe(
    `/sign-in?next=${encodeURIComponent(`/device?user_code=${user_code}`)}`,
  )
  expect((await wire.get(`/device?user_code=${user_code}`)).text).not.toContain(other.accountId)
  const refused = [
    await openWire().post('/device', form),
    await wire.post('/device', form),
    await other.wire.post('/device', form, { origin: 'https://evil.example' }),
  ]
  expect(refused.map(({ status }) => status)).toEqual([303, 404, 403])
  expect((await askForToken({ device_code })).body.error).toBe('authorization_pending')
})
