import { afterAll, beforeAll, expect, test } from 'bun:test'
import { renderError } from '@filmgate/kit/http/render-error'
import { testLog, until } from '@filmgate/kit/testing'
import { Elysia } from 'elysia'
import { reasons } from '../errors'
import { claimDeliveries } from '../sending/claim-repository'
import { createRecorder } from '../sending/record-outcomes'
import { startParts, startReceiver, taskMessage } from '../testing/test-service'
import { findEndpoint, markDeleted, resumeEndpoint } from './endpoint-repository'
import { pauseRoutes } from './pause-routes'

const token = 'a-token-of-the-gateway'
const receiver = startReceiver(() => new Response('', { status: 410 }))
let parts: Awaited<ReturnType<typeof startParts>>
let app: { handle(request: Request): Promise<Response> }
beforeAll(async () => {
  parts = await startParts([receiver.origin])
  app = new Elysia({ normalize: false })
    .use(renderError(testLog, reasons))
    .use(pauseRoutes({ sql: parts.sql, tokens: [token], keptDays: 30 })) as unknown as typeof app
})
afterAll(async () => {
  receiver.stop()
  await parts.stop()
})

type Pause = { id: string; endpoint_id: string; account_id: string }
async function post(body: object, bearer = token) {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
  const answer = await app.handle(new Request('http://webhooks/pauses', { method: 'POST', headers, body: JSON.stringify(body) }))
  return { status: answer.status, body: (await answer.json()) as { data: Pause[] } }
}
const pausesOf = async (accountId: string, taken: string[] = []) =>
  (await post({ taken })).body.data.filter(pause => pause.account_id === accountId)

/** An endpoint with a claimed delivery for each of its `events` events; `fail` records a failure of all. */
async function failingEndpoint(events: number, failingDays: number) {
  const accountId = `acct_${crypto.randomUUID()}`
  const { endpoint } = await parts.createEndpoint(accountId, `${receiver.origin}/hook/a?key=secret`)
  await parts.receive(Array.from({ length: events }, (_, nth) => taskMessage(accountId, `vt_${nth}`, 'taskEnded')))
  await parts.sql`update delivery set tries = 6 where endpoint_id = ${endpoint.id}`
  await parts.sql`update endpoint set failing_since = now() - ${failingDays} * interval '1 day' where id = ${endpoint.id}`
  const claimed = await claimDeliveries(parts.sql, { lane: 'failing', retryForSeconds: 60, leaseMs: 60_000, limit: 50 })
  const mine = claimed.filter(({ endpointId }) => endpointId === endpoint.id)
  const record = createRecorder(parts)
  const attempt = { at: new Date().toISOString(), duration_ms: 1, status: 500, error: 'status_unexpected', answer: '' }
  return { accountId, endpoint, fail: () => Promise.all(mine.map(claimed => record({ claimed, attempt }))) }
}

test('failures that end after the pause tell nothing again, and days of failures are told too', async () => {
  const { accountId, fail } = await failingEndpoint(2, 3)
  await fail()
  const [pause, ...more] = await pausesOf(accountId)
  expect([pause?.account_id, more]).toEqual([accountId, []])
  const late = await failingEndpoint(1, 3)
  await parts.sql`update endpoint set paused_at = now(), paused_reason = 'gone' where id = ${late.endpoint.id}`
  await late.fail()
  expect(await pausesOf(late.accountId)).toEqual([])
  const short = await failingEndpoint(1, 2)
  await short.fail()
  expect(await pausesOf(short.accountId)).toEqual([])
})

test('a pause that has ended is not told, and the next one is, although the first is taken late', async () => {
  const { accountId, endpoint, fail } = await failingEndpoint(1, 3)
  await fail()
  const [first] = await pausesOf(accountId)
  await resumeEndpoint(parts.sql, endpoint.id, null)
  expect(await pausesOf(accountId)).toEqual([])
  await parts.sql`update endpoint set paused_at = now(), paused_reason = 'x', pause_notice = gen_random_uuid() where id = ${endpoint.id}`
  const [second, ...more] = await pausesOf(accountId, [String(first?.id)])
  expect([second?.endpoint_id, second?.id === first?.id, more]).toEqual([endpoint.id, false, []])
  await markDeleted(parts.sql, accountId, endpoint.id)
  expect(await pausesOf(accountId)).toEqual([])
})

test('another token, and what is no id, are refused', async () => {
  expect((await post({ taken: [] }, 'another')).status).toBe(401)
  expect((await post({ taken: ['-'.repeat(36)] })).status).toBe(400)
})

// Last: from here on deliveries are sent.
test('an endpoint that answers 410 is told once as paused: host and path, no query, until the notice is taken', async () => {
  const accountId = `acct_${crypto.randomUUID()}`
  const { endpoint } = await parts.createEndpoint(accountId, `${receiver.origin}/hook/a?key=secret`)
  parts.startSender()
  await parts.receive([taskMessage(accountId, 'vt_1', 'taskEnded')])
  const [pause] = await until('a pause', async () => {
    const pauses = await pausesOf(accountId)
    return pauses.length > 0 ? pauses : undefined
  })
  expect(pause as object).toEqual({
    ...{ id: expect.stringMatching(/^[0-9a-f-]{36}$/), account_id: accountId, endpoint_id: endpoint.id },
    ...{ address: `${receiver.origin.slice('http://'.length)}/hook/a`, reason: 'the endpoint answered 410 Gone' },
    ...{ paused_at: (await findEndpoint(parts.sql, accountId, endpoint.id))?.pausedAt?.toISOString(), kept_days: 30 },
  })
  expect(await pausesOf(accountId)).toEqual([pause as Pause])
  expect(await pausesOf(accountId, [String(pause?.id)])).toEqual([])
})
