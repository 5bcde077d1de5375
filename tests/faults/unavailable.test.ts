import { afterAll, expect, test } from 'bun:test'
import { type Account, openAccount } from '../support/client/account'
import { type Answer, type Api, createApi } from '../support/client/api'
import { expectError, retryAfterSeconds } from '../support/client/errors'
import { smallRequest } from '../support/client/request'
import { audit } from '../support/operator/operator'
import { startOwnGateway } from '../support/servers/own-services'
import { settings } from '../support/settings'
import { simulator } from '../support/simulator'
import { without } from '../support/stack'
import { timed, until } from '../support/until'

/** The promise is 5 s; a busy machine may take longer to say it. */
const answerMsMax = 15_000
const testTimeoutMs = 120_000

/** Every read of the API but the catalog, which is answered from memory, and the estimate. */
const reads: Record<string, (api: Api) => Promise<Answer>> = {
  'GET /credits': api => api.get('/credits'),
  'GET /tasks': api => api.get('/tasks'),
  'GET /tasks/{id}': api => api.task('vt_x'),
  'GET /usage': api => api.get('/usage'),
  'GET /usage/summary': api => api.get('/usage/summary'),
  'POST /video/estimate': api => api.estimate(smallRequest()),
}
const models = { 'GET /models': (api: Api) => api.get('/models') }

/** Each is told in our own words, in time, and when to come again. */
async function expectUnavailable(api: Api, asked: Record<string, (api: Api) => Promise<Answer>>): Promise<void> {
  const answers = await Promise.all(Object.entries(asked).map(async ([name, ask]) => ({ name, ...(await timed(ask(api))) })))
  for (const { name, answer, ms } of answers) {
    expect([name, expectError(answer, 503, 'service_unavailable')]).toEqual([name, {}])
    retryAfterSeconds(answer)
    expect([name, ms < answerMsMax]).toEqual([name, true])
  }
}

for (const way of ['pause', 'stop'] as const)
  test(
    `the database ${way === 'pause' ? 'frozen' : 'stopped'}: every read is 503 within 5 s and says when to come again, and works when it is back`,
    async () => {
      const { api, apiKey } = await openAccount()
      // The other gateway has never seen this key, so there it is the key that can't be looked up.
      const stranger = createApi(apiKey, settings.secondUrl)
      await without('postgres', way, () =>
        Promise.all([expectUnavailable(api, reads), expectUnavailable(stranger, { ...reads, ...models })]),
      )
      for (const each of [api, stranger])
        for (const [name, ask] of Object.entries({ ...reads, ...models }))
          expect([name, (await ask(each)).status]).toEqual([name, name === 'GET /tasks/{id}' ? 404 : 200])
    },
    testTimeoutMs,
  )

/** Many accounts on both gateways, so that some ask behind others that wait: each asks again as soon as it is answered. */
const crowd = { accounts: 10, clientsEach: 6, seconds: 9 }

test(
  'the database frozen under load: nobody is answered later than 5 s, behind whomever he asks',
  async () => {
    const accounts = await Promise.all(Array.from({ length: crowd.accounts }, () => openAccount()))
    const post = (api: Api) => api.generate(smallRequest())
    const asks = Object.entries({ ...reads, 'POST /video/generations': post, 'once more': post, 'and again': post })
    const took: { name: string; status: number; ms: number }[] = []
    const client = async (index: number) => {
      const { apiKey } = accounts[index % accounts.length] as Account
      const api = createApi(apiKey, index % 2 === 0 ? settings.url : settings.secondUrl)
      const end = performance.now() + crowd.seconds * 1_000
      for (let turn = index; performance.now() < end; turn++) {
        const [name, ask] = asks[turn % asks.length] as (typeof asks)[number]
        const { answer, ms } = await timed(ask(api))
        took.push({ name, status: answer.status, ms })
      }
    }
    await without('postgres', 'pause', () =>
      Promise.all(Array.from({ length: crowd.accounts * crowd.clientsEach }, (_, index) => client(index))),
    )
    expect(took.length).toBeGreaterThan(crowd.accounts * crowd.clientsEach)
    expect(took.filter(({ status, ms }) => status !== 503 || ms > answerMsMax)).toEqual([])
  },
  testTimeoutMs,
)

test(
  'a gateway that has never read the catalog: models, estimates and generations are 503 and bind nothing, the rest works',
  async () => {
    const { apiKey, api } = await openAccount()
    const gateway = await startOwnGateway({ KAFKA_BROKERS: '127.0.0.1:1' }, '/healthz')
    try {
      const request = smallRequest()
      const idempotencyKey = crypto.randomUUID()
      const blind = createApi(apiKey, gateway.url)
      await until('it lacks what comes from Kafka, and nothing else', async () => {
        const { missing } = (await (await fetch(new URL('/readyz', gateway.url))).json()) as { missing: string[] }
        return Bun.deepEquals(missing, ['catalog', 'consumer'])
      })
      await expectUnavailable(blind, {
        ...models,
        'POST /video/estimate': each => each.estimate(request),
        'POST /video/generations': each => each.generate(request, { idempotencyKey }),
      })
      expect((await fetch(new URL('/readyz', gateway.url))).status).toBe(503)
      expect([await blind.credits(), (await blind.get('/tasks')).status]).toEqual([10_000, 200])
      await simulator.behave(request.prompt, [{ name: 'instant' }])
      expect((await api.generate(request, { idempotencyKey })).status).toBe(202)
      // What is bound is answered whether or not there is a catalog.
      expect((await blind.generate(request, { idempotencyKey })).status).toBe(200)
    } finally {
      await gateway.stop()
    }
  },
  testTimeoutMs,
)

afterAll(async () => {
  expect(await audit()).toEqual([])
})
