import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { mailsTo } from '../../console/people/mailbox'
import { signInByLink } from '../../console/people/sign-in-link'
import { openAccount } from '../../support/client/account'
import { type Api, createApi } from '../../support/client/api'
import { consoleOf } from '../../support/client/console'
import { openAiUrl } from '../../support/client/openai'
import { smallRequest } from '../../support/client/request'
import { type OwnService, startOwn } from '../../support/servers/own-services'
import { settings } from '../../support/settings'
import { simulator } from '../../support/simulator'
import { move } from '../../support/stack'
import { until } from '../../support/until'

type Received = { headers: Record<string, string>; text: string }
type Made = { id: string; secret: string }

const received: Received[] = []
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    received.push({ headers: Object.fromEntries(request.headers), text: await request.text() })
    return new URL(request.url).pathname === '/gone' ? new Response('', { status: 410 }) : new Response('thanks')
  },
})
const url = `http://127.0.0.1:${receiver.port}/hook`

/** The stack's service takes no endpoint on this machine; one with this origin stands in for it. */
let service: OwnService | undefined
beforeAll(async () => {
  await move('webhooks', 'stop')
  const own = { PORT: new URL(settings.serviceUrls.webhooks).port, FILMGATE_WEBHOOKS_PRIVATE_ORIGINS: new URL(url).origin }
  service = await startOwn('webhooks', own, '/readyz')
}, 60_000)
afterAll(async () => {
  await service?.stop()
  await receiver.stop(true)
  await move('webhooks', 'start')
}, 60_000)

async function createEndpoint(api: Api, address = url): Promise<Made> {
  const headers = { 'content-type': 'application/json' }
  const made = await api.send('POST', '/webhook-endpoints', { headers, body: JSON.stringify({ url: address }) })
  expect([made.status, made.text]).toEqual([201, expect.stringContaining('"whsec_')])
  return JSON.parse(made.text)
}

/** The event of this type whose text has this, verified by the independent library. */
async function verified({ secret }: Made, type: string, part: string) {
  const found = await until(type, async () => received.find(({ text }) => text.includes(`"${type}"`) && text.includes(part)))
  expect(() => new Webhook(secret).verify(found.text.replace('"type"', '"kind"'), found.headers)).toThrow()
  return new Webhook(secret).verify(found.text, found.headers)
}

test('the ends of tasks arrive as GET shows them, signed; each is in the list of deliveries', async () => {
  const { api } = await openAccount({ credits: 1_000 })
  const endpoint = await createEndpoint(api)
  const [kept, refused] = [smallRequest(), smallRequest()]
  await simulator.behave(kept.prompt, [{ name: 'instant' }])
  await simulator.behave(refused.prompt, [{ name: 'refuse_content' }])
  const { id } = (await api.generate(kept)).body
  const failed = (await api.generate(refused)).body.error?.details?.task_id ?? ''
  expect(await verified(endpoint, 'task.completed', id)).toEqual({
    type: 'task.completed',
    timestamp: expect.any(String),
    data: { task: JSON.parse((await api.task(id)).text), tags: {} },
  })
  expect(await verified(endpoint, 'task.failed', failed)).toMatchObject({ data: { task: { id: failed, status: 'failed' } } })
  const page = await until('both deliveries', async () => {
    const { data } = JSON.parse((await api.get(`/webhook-endpoints/${endpoint.id}/deliveries?status=delivered`)).text)
    return data.length === 2 && data
  })
  for (const delivery of page) expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ status: 200, answer: 'thanks' }] })
  expect(received.filter(({ text }) => text.includes(id))).toHaveLength(1)
}, 60_000)

test('the end of a video comes to its callback_url, signed with callback_secret, and to no endpoint’s list', async () => {
  const { api, apiKey } = await openAccount({ credits: 1_000 })
  const openAi = createApi(apiKey, openAiUrl())
  const [secret, own, key] = ['a secret of the client', smallRequest(), crypto.randomUUID()]
  await simulator.behave(own.prompt, [{ name: 'instant' }])
  const send = (callback: object) =>
    openAi.send('POST', '/videos', {
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ ...own, ...callback }),
    })
  const { id } = (await send({ callback_url: url, callback_secret: secret })).body
  expect((await send({ callback_url: `${url}/another` })).body.id).toBe(id)
  const told = await until('the callback', async () => received.find(({ text }) => text.includes(id)))
  expect(new Webhook(Buffer.from(secret), { format: 'raw' }).verify(told.text, told.headers)).toEqual({
    type: 'task.completed',
    timestamp: expect.any(String),
    data: { task: JSON.parse((await api.task(id)).text), tags: {} },
  })
  expect(JSON.parse((await api.get('/webhook-endpoints')).text).data).toEqual([])
  expect(received.filter(({ text }) => text.includes(id))).toHaveLength(1)
}, 60_000)

test('a low balance arrives; the endpoint of another account is unknown', async () => {
  const [{ api, accountId }, other] = await Promise.all([openAccount({ credits: 1_000 }), openAccount({ credits: 0 })])
  const endpoint = await createEndpoint(api)
  await consoleOf(accountId).ask('PUT', '/low-balance', { body: { credits: 5_000 } })
  expect(await verified(endpoint, 'balance.low', '5000')).toMatchObject({ data: { available_credits: 1_000, threshold_credits: 5_000 } })
  for (const [method, part] of [
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/rotate'],
    ['POST', '/test'],
    ['GET', '/deliveries'],
  ] as const) {
    const foreign = await other.api.send(method, `/webhook-endpoints/${endpoint.id}${part}`)
    expect([foreign.status, foreign.text]).toEqual([404, (await other.api.send(method, `/webhook-endpoints/whe_none${part}`)).text])
  }
  expect((await api.send('DELETE', `/webhook-endpoints/${endpoint.id}`)).status).toBe(204)
}, 60_000)

test('an endpoint that is gone is paused, and an owner gets a mail that names it without its query', async () => {
  const { api, accountId } = await openAccount({ credits: 1_000 })
  const email = `ada-${crypto.randomUUID()}@example.com`
  await signInByLink({ accountId, email })
  const endpoint = await createEndpoint(api, `${new URL('/gone', url)}?key=a-secret`)
  const request = smallRequest()
  await simulator.behave(request.prompt, [{ name: 'instant' }])
  await api.generate(request)
  const { text } = await until('the mail', async () => (await mailsTo(email)).find(({ subject }) => subject.includes('is paused')), 60_000)
  expect(text).toContain(`${new URL(url).host}/gone of the account`)
  expect(text).toContain(`/accounts/${accountId}/webhooks/${endpoint.id}`)
  expect(text).not.toContain('a-secret')
}, 120_000)
