import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { WebhookDeliveryView, WebhookEndpointView } from '../gateway/gateway'
import { newFormId } from '../http/submit-once'
import { refusal } from '../testing/fake-gateway'
import { hiddenField, openConsole, type TestConsole } from '../testing/open-console'
import { ownersOnly, whoMay } from '../testing/who-may'
import { webhooks } from './routes'

let site: TestConsole
beforeAll(async () => {
  site = await openConsole(webhooks)
})
afterAll(() => site.close())

const secret = 'whsec_TheSecretThatIsShownOnce'
const endpoint: WebhookEndpointView = {
  id: 'whe_1',
  url: 'https://hooks.example.com/a?token=t0k',
  description: 'Shop <b>',
  events: ['task.completed', 'task.failed'],
  status: 'active',
  paused_reason: null,
  created_at: '2026-11-01T10:00:00.000Z',
  updated_at: '2026-11-01T10:00:00.000Z',
}
const delivery: WebhookDeliveryView = {
  id: 'msg_1',
  event: 'task.completed',
  task_id: 'vt_1',
  status: 'failed',
  attempts: [
    { at: '2026-11-02T10:00:00.000Z', duration_ms: 12, status: 500, error: null, answer: '<script>alert(1)</script>' },
    { at: '2026-11-02T10:01:00.000Z', duration_ms: 10_000, status: null, error: 'no answer within 10 s', answer: null },
  ],
  next_attempt_at: null,
  created_at: '2026-11-02T09:59:00.000Z',
}

/** An account with one endpoint in this state. */
async function accountWith(change: Partial<WebhookEndpointView> = {}) {
  const account = await site.newAccount()
  const path = `/accounts/${account.id}/webhook-endpoints`
  const one = { ...endpoint, ...change }
  site.gateway.on(`GET ${path}`, { object: 'list', data: [one], next_cursor: null })
  site.gateway.on(`POST ${path}`, { ...one, secret })
  site.gateway.on(`GET ${path}/whe_1`, one)
  site.gateway.on(`DELETE ${path}/whe_1`, () => new Response(null, { status: 204 }))
  site.gateway.on(`GET ${path}/whe_1/deliveries`, { object: 'list', data: [delivery], next_cursor: 'older' })
  site.gateway.on(`POST ${path}/whe_1/rotate`, { ...one, secret, former_secret_until: '2026-11-03T10:00:00.000Z' })
  for (const act of ['test', 'resume', 'replay']) site.gateway.on(`POST ${path}/whe_1/${act}`, {})
  const sent = (method: string) => site.gateway.seen.filter(seen => seen.method === method && seen.path.startsWith(path))
  return { ...account, sent }
}
const newEndpoint = (fields: object = {}) => ({
  ...{ form: newFormId(), url: 'https://hooks.example.com/new', description: '', events: 'task.completed', ...fields },
})

test('who may see and change webhooks: owners', async () => {
  const account = await accountWith()
  for (const page of ['', '/whe_1', '/whe_1/rotate', '/whe_1/remove'])
    expect(await whoMay(site, account, `/webhooks${page}`)).toEqual(ownersOnly(200))
  expect(await whoMay(site, account, '/webhooks', newEndpoint)).toEqual(ownersOnly(200))
  expect(await whoMay(site, account, '/webhooks/whe_1/rotate', () => ({ form: newFormId() }))).toEqual(ownersOnly(200))
  for (const act of ['test', 'resume', 'remove'])
    expect(await whoMay(site, account, `/webhooks/whe_1/${act}`, () => ({}))).toEqual(ownersOnly(303))
  expect(await whoMay(site, account, '/webhooks/whe_1/replay', () => ({ delivery: 'msg_1' }))).toEqual(ownersOnly(303))
  expect(account.sent('POST').map(({ path }) => path.split('/').at(-1))).toEqual([
    'webhook-endpoints',
    'rotate',
    'test',
    'resume',
    'replay',
  ])
  expect(account.sent('DELETE')).toHaveLength(1)
  const acts = await site.acts(account.id)
  expect(acts.map(({ act, subject }) => [act, subject]).toSorted()).toEqual(
    ['created', 'removed', 'replayed', 'resumed', 'rotated', 'tested'].map(act => [`webhook.${act}`, 'whe_1']),
  )
  expect(JSON.stringify(acts)).not.toMatch(/whsec_|t0k/)
})

test('an endpoint is added and its secret rotated only after a sign-in of the last quarter of an hour', async () => {
  const account = await accountWith()
  await site.rest(account.owner.id)
  const at = `${account.path}/webhooks`
  for (const [path, form] of [[at, newEndpoint()], [`${at}/whe_1/rotate`], [`${at}/whe_1/rotate`, { form: newFormId() }]] as const)
    expect((await site.ask(account.owner, path, form && { form })).location).toContain('/security/confirm?next=')
  expect(account.sent('POST')).toEqual([])
})

test('a secret is in the answer of its creation alone, which is not repeated', async () => {
  const account = await accountWith()
  const at = `${account.path}/webhooks`
  const form = newEndpoint({ form: hiddenField((await site.ask(account.owner, at)).text, 'form') })
  expect((await site.ask(account.owner, at, { form })).text).toContain(secret)
  const again = await site.ask(account.owner, at, { form })
  expect([again.status, again.text.includes(secret)]).toEqual([409, false])
  for (const path of [at, `${at}/whe_1`]) expect((await site.ask(account.owner, path)).text).not.toContain(secret)
  expect(account.sent('POST').map(({ body }) => body)).toEqual([
    { url: 'https://hooks.example.com/new', events: ['task.completed'], description: '' },
  ])
})

test('a form that cannot be taken says what to mend, and so does the service', async () => {
  const account = await accountWith()
  const at = `${account.path}/webhooks`
  for (const wrong of [
    { url: 'http://a.example' },
    { url: 'https://' },
    { url: `https://a.example/${'x'.repeat(2_048)}` },
    { description: 'x'.repeat(201) },
    { events: 'task.started' },
  ]) {
    const { status, text } = await site.ask(account.owner, at, { form: newEndpoint(wrong) })
    expect([status, text.includes('class="issue"')]).toEqual([400, true])
  }
  expect(account.sent('POST')).toEqual([])
  const issues = [{ path: 'url', rule: 'public_address', message: 'url names no public host' }]
  site.gateway.on(`POST /accounts/${account.id}/webhook-endpoints`, () =>
    Response.json({ error: { code: 'invalid_request', message: 'm', details: { issues } } }, { status: 400 }),
  )
  const refused = await site.ask(account.owner, at, { form: newEndpoint() })
  expect([refused.status, refused.text.includes('url names no public host')]).toEqual([400, true])
})

test('deliveries are shown with their attempts, what endpoints answered is text, and the list goes on', async () => {
  const account = await accountWith()
  const { text } = await site.ask(account.owner, `${account.path}/webhooks/whe_1?status=failed`)
  for (const shown of [
    'Shop &lt;b&gt;',
    'task.completed',
    'vt_1',
    'no answer within 10 s',
    '&lt;script&gt;',
    'status=failed&amp;cursor=older',
  ])
    expect(text).toContain(shown)
  expect(text).not.toContain('<script>alert')
  expect(account.sent('GET').at(-1)?.search).toBe('?status=failed&limit=20')
})

test('a paused endpoint says why and can be resumed', async () => {
  const account = await accountWith({ status: 'paused', paused_reason: 'It failed for 3 days.' })
  const { text } = await site.ask(account.owner, `${account.path}/webhooks/whe_1`)
  expect(text).toContain('It failed for 3 days.')
  expect(text).toContain(`${account.path}/webhooks/whe_1/resume`)
  expect((await site.ask(account.owner, `${account.path}/webhooks`)).text).toContain('paused')
})

test('an unknown endpoint is not found, and without the service the page says so', async () => {
  const account = await accountWith()
  for (const path of ['/webhooks/whe_2', '/webhooks/whe_2/rotate', '/webhooks/a%2Fb'])
    expect((await site.ask(account.owner, `${account.path}${path}`)).status).toBe(404)
  expect((await site.ask(account.owner, `${account.path}/webhooks/whe_2/test`, { form: {} })).status).toBe(404)
  site.gateway.on(`GET /accounts/${account.id}/webhook-endpoints`, () => refusal(503, 'service_unavailable'))
  const { status, text } = await site.ask(account.owner, `${account.path}/webhooks`)
  expect([status, text.includes('not available at the moment'), text.includes('<form class="panel"')]).toEqual([503, true, false])
})

test('a test or replay that the API has had too many of says so', async () => {
  const account = await accountWith()
  for (const act of ['test', 'replay']) {
    site.gateway.on(`POST /accounts/${account.id}/webhook-endpoints/whe_1/${act}`, () => refusal(429, 'rate_limited'))
    const { status, text } = await site.ask(account.owner, `${account.path}/webhooks/whe_1/${act}`, { form: { delivery: 'msg_1' } })
    expect([status, text.includes('Wait a moment and try again')]).toEqual([429, true])
  }
  expect(await site.acts(account.id)).toEqual([])
})

test('an account adds, rotates and tests only so often an hour', async () => {
  const account = await accountWith()
  const statuses = []
  for (let count = 0; count < 61; count++)
    statuses.push((await site.ask(account.owner, `${account.path}/webhooks/whe_1/test`, { form: {} })).status)
  expect([new Set(statuses.slice(0, 60)), statuses.at(-1)]).toEqual([new Set([303]), 429])
})
