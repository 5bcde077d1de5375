import { expect, test } from 'bun:test'
import { createKey, openAccount, rotateKey } from '../../support/client/account'
import { createApi } from '../../support/client/api'
import { ownWords, smallRequest } from '../../support/client/request'
import { passHours } from '../../support/servers/databases'
import { settings } from '../../support/settings'
import { simulator } from '../../support/simulator'
import { until } from '../../support/until'

test('after a rotation both secrets work for a day, and are one scope: neither buys again what the other bought', async () => {
  const { accountId } = await openAccount()
  const former = await createKey(accountId)
  const [prompt, idempotencyKey] = [ownWords(), crypto.randomUUID()]
  await simulator.behave(prompt, [{ name: 'instant' }])
  const body = smallRequest({ prompt })
  const bought = await createApi(former.api_key).generate(body, { idempotencyKey })
  const rotated = await rotateKey(former.key_id)
  expect([rotated.key_id, rotated.api_key === former.api_key]).toEqual([former.key_id, false])
  await passHours.ofRotation(former.key_id, 23.9)
  for (const secret of [rotated.api_key, former.api_key])
    for (const gateway of [settings.url, settings.secondUrl]) {
      const again = await createApi(secret, gateway).generate(body, { idempotencyKey })
      expect([again.status, again.body.id]).toEqual([200, bought.body.id])
    }
  expect(await simulator.submits(prompt)).toHaveLength(1)
  expect((await createApi(former.api_key).generate(smallRequest(), { idempotencyKey })).status).toBe(409)
})

test('rotated again and again, by whom no answer reached, each former secret works for its own day', async () => {
  const { accountId } = await openAccount()
  const first = await createKey(accountId)
  const second = await rotateKey(first.key_id)
  await passHours.ofRotation(first.key_id, 12)
  const third = await rotateKey(first.key_id)
  const fourth = await rotateKey(first.key_id)
  const working = async () =>
    Promise.all(
      [first, second, third, fourth].flatMap(({ api_key }) =>
        [settings.url, settings.secondUrl].map(async url => (await createApi(api_key, url).get('/credits')).status),
      ),
    )
  expect(await working()).toEqual([200, 200, 200, 200, 200, 200, 200, 200])
  await passHours.ofRotation(first.key_id, 11.9)
  expect(await working()).toEqual([200, 200, 200, 200, 200, 200, 200, 200])
  await passHours.ofRotation(first.key_id, 0.1)
  for (const url of [settings.url, settings.secondUrl])
    await until('the first secret to end', async () => (await createApi(first.api_key, url).get('/credits')).status === 401, 5_000)
  expect(await working()).toEqual([401, 401, 200, 200, 200, 200, 200, 200])
})

test('both secrets of a key draw on one bucket', async () => {
  const { accountId } = await openAccount()
  const former = await createKey(accountId)
  const rotated = await rotateKey(former.key_id)
  const left = async (secret: string) =>
    Number((await createApi(secret).get('/credits')).headers.get('ratelimit')?.match(/^"requests";r=(\d+);/)?.[1])
  const first = await left(former.api_key)
  expect([await left(rotated.api_key), await left(former.api_key)]).toEqual([first - 1, first - 2])
})

test('a key works until its time', async () => {
  const { accountId } = await openAccount()
  const key = await createKey(accountId, { expires_at: new Date(Date.now() + 3_600_000).toISOString() })
  await passHours.ofKey(key.key_id, 0.9)
  expect((await createApi(key.api_key).get('/credits')).status).toBe(200)
})
