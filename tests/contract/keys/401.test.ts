import { expect, test } from 'bun:test'
import { bindKey, createKey, openAccount, revokeKey, rotateKey } from '../../support/client/account'
import { createApi } from '../../support/client/api'
import { expectError } from '../../support/client/errors'
import { smallRequest } from '../../support/client/request'
import { operate } from '../../support/operator/operator'
import { keyUsed, passHours } from '../../support/servers/databases'
import { settings } from '../../support/settings'
import { simulator } from '../../support/simulator'
import { until } from '../../support/until'

/** What is changed of a key is known everywhere after 5 s; a busy machine may take longer to say it. */
const heardMsMax = 15_000
const gateways = () => [settings.url, settings.secondUrl]

/** Both gateways know the secret, then both refuse it within five seconds of the change. */
async function expectEnd(secret: string, change: () => Promise<unknown>): Promise<void> {
  const clients = gateways().map(url => createApi(secret, url))
  for (const client of clients) expect((await client.get('/credits')).status).toBe(200)
  const changedAt = performance.now()
  await change()
  await Promise.all(
    clients.map(async client => {
      await until('the key to be refused', async () => (await client.get('/credits')).status === 401, heardMsMax)
      expectError(await client.generate(smallRequest()), 401, 'invalid_api_key')
    }),
  )
  expect(performance.now() - changedAt).toBeLessThan(heardMsMax)
}

test.concurrent('a revoked key is refused by every gateway within five seconds, both of its secrets', async () => {
  const { accountId } = await openAccount()
  const former = await createKey(accountId)
  const { api_key: secret } = await rotateKey(former.key_id)
  await expectEnd(secret, () => revokeKey(former.key_id))
  for (const url of gateways()) expectError(await createApi(former.api_key, url).get('/credits'), 401, 'invalid_api_key')
})

test.concurrent('the former secret of a rotated key ends after a day, the new one goes on', async () => {
  const { accountId } = await openAccount()
  const former = await createKey(accountId)
  const { api_key: secret } = await rotateKey(former.key_id)
  await expectEnd(former.api_key, () => passHours.ofRotation(former.key_id, 24))
  for (const url of gateways()) expect((await createApi(secret, url).get('/credits')).status).toBe(200)
})

test.concurrent('a key ends at its time, and rotating it doesn’t bring it back', async () => {
  const { accountId } = await openAccount()
  const key = await createKey(accountId, { expires_at: new Date(Date.now() + 3_600_000).toISOString() })
  await expectEnd(key.api_key, () => passHours.ofKey(key.key_id, 1))
  await expect(rotateKey(key.key_id)).rejects.toThrow('404 {"error":{"code":"key_not_found"')
})

test.concurrent('a revoked key is not rotated, and its running task finishes and bills', async () => {
  const { api, accountId } = await openAccount()
  const key = await createKey(accountId)
  const { body } = await createApi(key.api_key).generate(smallRequest())
  await revokeKey(key.key_id)
  await expect(rotateKey(key.key_id)).rejects.toThrow('404 {"error":{"code":"key_not_found"')
  expect(await api.taskOnce(body.id)).toMatchObject({ status: 'completed', billing_status: 'settled' })
})

/** A read of a task that goes on, held for a minute where nothing ends it; and what it came to, and when. */
async function heldRead(secret: string, taskId: string) {
  const answer = await createApi(secret, settings.secondUrl).get(`/tasks/${taskId}`, { prefer: 'wait=60' })
  return { answer, endedAt: Date.now() }
}

test.concurrent('a read that waits is refused within five seconds of its key’s revocation', async () => {
  const { api, accountId } = await openAccount()
  const body = smallRequest()
  await simulator.behave(body.prompt, [{ name: 'never_finishes' }])
  const { id } = (await api.generate(body)).body
  const key = await createKey(accountId)
  const read = heldRead(key.api_key, id)
  await until('the read to be held', () => keyUsed(key.key_id))
  const revokedAt = Date.now()
  await revokeKey(key.key_id)
  const { answer, endedAt } = await read
  expectError(answer, 401, 'invalid_api_key')
  expect(endedAt - revokedAt).toBeLessThan(heardMsMax)
  const [submit] = await simulator.submits(body.prompt)
  await simulator.release(submit?.generation_id ?? '')
})

test.concurrent('a key ends to the second, also for a read that waits', async () => {
  const { api, accountId } = await openAccount()
  const body = smallRequest()
  await simulator.behave(body.prompt, [{ name: 'never_finishes' }])
  const { id } = (await api.generate(body)).body
  const expiresAt = Date.now() + 4_000
  const key = await createKey(accountId, { expires_at: new Date(expiresAt).toISOString() })
  const read = heldRead(key.api_key, id)
  const client = createApi(key.api_key)
  let refusedAt = 0
  // Used all the time, so that it is remembered when its time comes.
  await until('the key to end', async () => {
    const [askedAt, { status }] = [Date.now(), await client.get('/credits')]
    if (status === 401) refusedAt = askedAt
    expect(status === 401 || askedAt < expiresAt + 500).toBe(true)
    return status === 401
  })
  expect(refusedAt).toBeGreaterThan(expiresAt - 500)
  const { answer, endedAt } = await read
  expectError(answer, 401, 'invalid_api_key')
  expect(endedAt - expiresAt).toBeLessThan(15_000)
  const [submit] = await simulator.submits(body.prompt)
  await simulator.release(submit?.generation_id ?? '')
})

test('neither a list of keys nor their account tells a secret', async () => {
  const { apiKey, accountId } = await openAccount()
  const listed = JSON.stringify(await operate('gateway', 'GET', `/accounts/${accountId}/keys`))
  expect(listed).toContain(apiKey.slice('sk_live_'.length, 20))
  expect(listed).not.toContain(apiKey.slice(20))
  expect(listed).not.toMatch(/hash|secret/i)
})

test('a key bound to other addresses is refused within 5 s everywhere, costs the key no token, and works again once it is unbound', async () => {
  const { accountId } = await openAccount()
  const key = await createKey(accountId)
  const clients = gateways().map(url => createApi(key.api_key, url))
  const statuses = () => Promise.all(clients.map(async client => (await client.get('/credits')).status))
  const become = (status: number) =>
    until(`${status} everywhere`, async () => (await statuses()).every(each => each === status), heardMsMax)
  await bindKey(key.key_id, { addresses: ['192.0.2.0/24'] })
  await become(401)
  const refused = await (clients[0] as ReturnType<typeof createApi>).get('/credits')
  expectError(refused, 401, 'invalid_api_key')
  expect(refused.body.error?.message).toBe('This API key does not work from the address of this request.')
  await bindKey(key.key_id, { addresses: ['127.0.0.0/8', '::1'] })
  await become(200)
})
