import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { renderError } from '@filmgate/kit/http/render-error'
import { testLog, until } from '@filmgate/kit/testing'
import { Elysia } from 'elysia'
import { Webhook } from 'standardwebhooks'
import { deleteOld } from '../deliveries/delete-old'
import { findEndpoint, listAllEndpoints, listEndpoints, markDeleted } from '../endpoints/endpoint-repository'
import { reasons } from '../errors'
import { startParts, startReceiver, taskMessage } from '../testing/test-service'
import { callbackRoutes } from './routes'

const token = 'a-token-of-the-gateway'
let answer: () => Response | Promise<Response> = () => new Response('taken')
let receiver: ReturnType<typeof startReceiver>
let parts: Awaited<ReturnType<typeof startParts>>
let app: { handle(request: Request): Promise<Response> }
beforeAll(async () => {
  receiver = startReceiver(() => answer())
  parts = await startParts([receiver.origin])
  parts.startSender()
  app = new Elysia({ normalize: false }).use(renderError(testLog, reasons)).use(callbackRoutes({ ...parts, tokens: [token] }))
})
beforeEach(() => {
  answer = () => new Response('taken')
  receiver.received.length = 0
})
afterAll(async () => {
  await parts.stop()
  await receiver.stop()
})

const account = () => `acct_${crypto.randomUUID()}`
const newTask = () => `vt_${crypto.randomUUID()}`
const raw = 'a secret of the client, ümlaut'

async function put(accountId: string, taskId: string, body: object, bearer = token) {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
  const request = new Request(`http://webhooks/accounts/${accountId}/callbacks/${taskId}`, {
    ...{ method: 'PUT', headers, body: JSON.stringify(body) },
  })
  const response = await app.handle(request)
  const text = await response.text()
  return { status: response.status, issue: text === '' ? undefined : JSON.parse(text).error.details?.issues[0].message }
}

async function keep(body: object, accountId = account()) {
  const taskId = newTask()
  expect(await put(accountId, taskId, { callback_url: `${receiver.origin}/hook`, ...body })).toEqual({ status: 204, issue: undefined })
  return { accountId, taskId }
}

test.each([
  ['a raw secret', raw, Buffer.from(raw)],
  ['a secret of Standard Webhooks', `whsec_${Buffer.alloc(32, 7).toString('base64')}`, Buffer.alloc(32, 7)],
])('the ends of its task alone come to a callback, signed with %s', async (_, callback_secret, key) => {
  const { accountId, taskId } = await keep({ callback_secret })
  const message = taskMessage(accountId, taskId, 'taskEnded')
  await parts.receive([taskMessage(accountId, newTask(), 'taskEnded'), taskMessage(account(), taskId, 'taskEnded')])
  await parts.receive([taskMessage(accountId, taskId, 'taskInReview'), message, message])
  await until('both events', () => receiver.received.length === 2)
  const bodies = receiver.received.map(({ body, headers }) => new Webhook(key, { format: 'raw' }).verify(body, headers))
  expect(bodies).toMatchObject([
    { type: 'task.in_review', data: { task: { id: taskId } } },
    { type: 'task.completed', data: { task: { id: taskId }, tags: { shot: '12' } } },
  ])
  const [row] = await parts.sql<{ text: string }[]>`
    select callback::text || encode(secret, 'escape') as text from callback where task_id = ${taskId}`
  expect(row?.text).not.toContain(callback_secret.slice(6))
})

test('without a secret nothing is signed; the first callback of a task stays', async () => {
  const { accountId, taskId } = await keep({})
  await put(accountId, taskId, { callback_url: `${receiver.origin}/another`, callback_secret: raw })
  await parts.receive([taskMessage(accountId, taskId, 'taskEnded', 'failed')])
  const { path, type, headers } = await until('the event', () => receiver.received[0])
  expect([path, type, headers['webhook-signature']]).toEqual(['/hook', 'task.failed', undefined])
  expect([headers['webhook-id'], headers['webhook-timestamp']]).toEqual([expect.stringMatching(/^msg_/), expect.stringMatching(/^\d+$/)])
})

test('a callback is retried and never paused, although it answers 410', async () => {
  answer = () => new Response('', { status: receiver.received.length < 3 ? 410 : 200 })
  const { accountId, taskId } = await keep({ callback_secret: raw })
  await parts.receive([taskMessage(accountId, taskId, 'taskEnded')])
  await until(
    'it to be delivered',
    async () => (await parts.sql`select 1 from delivery where status = 'delivered' and task_id = ${taskId}`)[0],
    20_000,
  )
  expect(receiver.received).toHaveLength(3)
})

test('callbacks are no endpoint of their account: none is listed, read, deleted or counted; operators see one for all of them', async () => {
  const { accountId } = await keep({})
  await keep({}, accountId)
  const [row, ...others] = await listAllEndpoints(parts.sql, accountId)
  const id = row?.id ?? ''
  expect([row, others]).toMatchObject([{ url: '', description: 'callback_url of tasks', events: [] }, []])
  expect([...(await listEndpoints(parts.sql, accountId))]).toEqual([])
  expect([await findEndpoint(parts.sql, accountId, id), await markDeleted(parts.sql, accountId, id)]).toEqual([undefined, false])
  for (let count = 0; count < 20; count += 1) await parts.createEndpoint(accountId, 'https://example.com/hook')
})

const short = randomBytes(16).toString('base64')
const secretFault = 'callback_secret must be whsec_ and the base64 of 24 to 64 bytes, or a text of 16 to 256 characters'
test.each([
  [{}, 'callback_url must be an https:// URL'],
  [{ callback_url: 7 }, 'callback_url must be an https:// URL'],
  [{ callback_url: `https://example.com/${'x'.repeat(2_048)}` }, 'callback_url has more than 2048 characters'],
  [{ callback_url: 'http://example.com/' }, 'callback_url is not https'],
  [{ callback_url: 'https://10.0.0.1/' }, 'callback_url names no public host: not a public address'],
  ...[7, 'fifteen letters', 'x'.repeat(257), `whsec_${short}`, 'whsec_%%%', `whsec_${Buffer.alloc(32).toString('base64url')}`].map(
    callback_secret => [{ callback_url: 'https://example.com/', callback_secret }, secretFault] as const,
  ),
])('%j is refused, and keeps nothing', async (body, issue) => {
  const taskId = newTask()
  expect(await put(account(), taskId, body)).toEqual({ status: 400, issue })
  expect([...(await parts.sql`select 1 from callback where task_id = ${taskId}`)]).toEqual([])
})

test('without the token of the gateway nothing is kept', async () => {
  expect((await put(account(), newTask(), { callback_url: 'https://example.com/' }, 'another')).status).toBe(401)
})

test('an unused callback goes after two days, a used one with its log', async () => {
  const used = await keep({})
  const unused = await keep({}, used.accountId)
  const later = (days: number) => parts.sql`
    update callback set kept_until = kept_until - ${days} * interval '1 day' where task_id in (${used.taskId}, ${unused.taskId})`
  const kept = async () => {
    await deleteOld({ sql: parts.sql, keptDays: 30 })
    return [...(await parts.sql`select task_id from callback where task_id in (${used.taskId}, ${unused.taskId})`)]
  }
  await later(1)
  await parts.receive([taskMessage(used.accountId, used.taskId, 'taskEnded')])
  expect(await kept()).toHaveLength(2)
  await later(2)
  expect(await kept()).toEqual([{ task_id: used.taskId }])
  await later(29)
  expect(await kept()).toEqual([])
})

test('the callback of a task in review is kept beyond the log, for the end that an operator decides', async () => {
  const { accountId, taskId } = await keep({})
  await parts.receive([taskMessage(accountId, taskId, 'taskInReview')])
  await parts.sql`update callback set kept_until = kept_until - interval '60 days' where task_id = ${taskId}`
  await deleteOld({ sql: parts.sql, keptDays: 30 })
  await parts.receive([taskMessage(accountId, taskId, 'taskEnded')])
  await until('both events', () => receiver.received.length === 2)
})

// Last: its attempts go on while the service stops.
test('callbacks of an account that never answer hold the attempts of one endpoint, however many there are', async () => {
  answer = () => new Promise<Response>(() => {})
  const { accountId, taskId } = await keep({})
  const others = await Promise.all(Array.from({ length: 9 }, () => keep({}, accountId)))
  await parts.receive([taskId, ...others.map(other => other.taskId)].map(id => taskMessage(accountId, id, 'taskEnded')))
  await until('attempts', () => receiver.received.length > 0)
  const [leased] = await parts.sql<{ count: number }[]>`
    select count(*)::int as count from delivery join endpoint on endpoint.id = endpoint_id where account_id = ${accountId} and lease_until > now()`
  expect(leased).toEqual({ count: 2 })
})
