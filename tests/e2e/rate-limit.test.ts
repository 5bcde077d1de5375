import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createKey, openAccount } from '../support/client/account'
import { type Answer, type Api, createApi } from '../support/client/api'
import { expectError, retryAfterSeconds } from '../support/client/errors'
import { ownWords, smallRequest } from '../support/client/request'
import { sampleMedia } from '../support/client/sample-media'
import { type OwnGateway, startOwnGateway } from '../support/servers/own-services'
import { passSeconds } from '../support/servers/redis'

const limit = 30
const addressLimit = 12
const refusalsMax = 2

/** With the limit of a key that is in force where nobody sets another, and a low one of an address. */
let gateway: OwnGateway
beforeAll(async () => {
  gateway = await startOwnGateway({
    FILMGATE_RATE_LIMIT: '',
    FILMGATE_ADDRESS_RATE_LIMIT: String(addressLimit),
    FILMGATE_REFUSALS_MAX: String(refusalsMax),
  })
}, 60_000)
afterAll(() => gateway?.stop())

const requests: Record<string, (api: Api) => Promise<Answer>> = {
  'GET /credits': api => api.get('/credits'),
  'GET /models': api => api.get('/models'),
  'GET /tasks': api => api.get('/tasks'),
  'GET /tasks/{id}': api => api.task('vt_x'),
  'GET /usage': api => api.get('/usage'),
  'GET /usage/summary': api => api.get('/usage/summary'),
  'POST /video/estimate': api => api.estimate(smallRequest()),
  'POST /video/generations': api => api.generate({}),
}

async function newClient() {
  const { accountId } = await openAccount()
  const { key_id, api_key } = await createKey(accountId)
  return { keyId: key_id, api: createApi(api_key, gateway.url) }
}

test('thirty a minute and key, whatever is asked, each told what is left; the next is refused whatever it is', async () => {
  const { api } = await newClient()
  const kinds = Object.entries(requests)
  for (let left = limit - 1; left >= 0; left--) {
    const [name, ask] = kinds[left % kinds.length] as (typeof kinds)[number]
    const { status, headers } = await ask(api)
    const told = headers.get('ratelimit')?.match(/^"requests";r=(\d+);t=([1-9]\d*)$/)
    expect({ name, refused: status === 429, policy: headers.get('ratelimit-policy'), left: Number(told?.[1]) }).toEqual({
      name,
      refused: false,
      policy: '"requests";q=30;w=60',
      left,
    })
    expect(Number(told?.[2])).toBeLessThanOrEqual(60)
  }
  for (const [name, ask] of kinds) {
    const refused = await ask(api)
    expectError(refused, 429, 'rate_limited')
    expect([name, refused.headers.get('ratelimit')?.startsWith('"requests";r=0;t=')]).toEqual([name, true])
    expect(retryAfterSeconds(refused)).toBeLessThanOrEqual(60)
  }
})

test('who comes back after Retry-After is let through, who comes earlier is not, and a refusal costs nothing', async () => {
  const { api, keyId } = await newClient()
  const early = await api.get('/credits')
  expect(early.status).toBe(200)
  await passSeconds(keyId, 20)
  await Promise.all(Array.from({ length: limit - 1 }, () => api.get('/credits')))
  const told = retryAfterSeconds(await api.get('/credits'))
  expect(told).toBeLessThanOrEqual(40)
  await passSeconds(keyId, told - 10)
  const again = retryAfterSeconds(await api.get('/credits'))
  expect(again).toBeLessThanOrEqual(10)
  await passSeconds(keyId, again)
  // One was taken twenty seconds before the others: one comes back.
  expect([(await api.get('/credits')).status, (await api.get('/credits')).status]).toEqual([200, 429])
})

test('who shows no key is limited by address, whatever is asked: no route, another method, a wrong token; a key goes on working', async () => {
  const { api } = await newClient()
  const origin = new URL(gateway.url).origin
  const asks: (() => Promise<Answer>)[] = [
    () => createApi(null, origin).get('/nowhere'),
    () => createApi(null, origin).send('PUT', '/api/v1/credits'),
    () => createApi('wrong', origin).get('/operator/reviews'),
    () => createApi('sk_live_wrong', gateway.url).get('/credits'),
    () => createApi(null, origin).send('POST', '/hooks/NO/no'),
  ]
  const statuses: number[] = []
  for (let round = 0; round < addressLimit / 4; round++) for (const ask of asks.slice(0, 4)) statuses.push((await ask()).status)
  expect(statuses).toEqual(Array.from({ length: addressLimit }, (_, index) => [404, 405, 401, 401][index % 4] as number))
  for (const ask of asks.slice(0, 4)) {
    const refused = await ask()
    expectError(refused, 429, 'rate_limited')
    expect(retryAfterSeconds(refused)).toBeLessThanOrEqual(60)
  }
  // Providers call back from few addresses: what they may is counted apart.
  expect((await (asks[4] as (typeof asks)[number])()).status).toBe(404)
  expect((await api.get('/credits')).status).toBe(200)
})

test('an account whose POSTs were refused after a reservation too often creates nothing for a while, and all else goes on', async () => {
  const { accountId } = await openAccount()
  const [one, other] = await Promise.all([createKey(accountId), createKey(accountId)])
  const api = createApi(one.api_key, gateway.url)
  const bad = { model: 'alpha-h3', mode: 'image-to-video', prompt: ownWords(), duration: 4, image_url: sampleMedia('missing.gif') }
  const idempotencyKey = crypto.randomUUID()
  const refused = [await api.generate(bad, { idempotencyKey }), await api.generate(bad)]
  for (const each of refused) expectError(each, 400, 'media_unreachable')
  for (const apiKey of [one.api_key, other.api_key]) {
    const spent = await createApi(apiKey, gateway.url).generate(smallRequest())
    expect(expectError(spent, 429, 'rate_limited')).toEqual({ limit: 'refusals' })
    expect(retryAfterSeconds(spent)).toBeGreaterThan(500)
  }
  expect((await api.generate(bad, { idempotencyKey })).status).toBe(200)
  expect((await api.estimate(smallRequest())).status).toBe(200)
  expect((await api.get('/tasks')).status).toBe(200)
}, 60_000)
