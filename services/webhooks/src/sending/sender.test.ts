import { afterEach, expect, test } from 'bun:test'
import { until } from '@filmgate/kit/testing'
import { Webhook } from 'standardwebhooks'
import { listDeliveries } from '../deliveries/delivery-repository'
import { findEndpoint, resumeEndpoint } from '../endpoints/endpoint-repository'
import { rotateSecret } from '../endpoints/rotate-secret'
import { type Received, startParts, startReceiver, taskMessage } from '../testing/test-service'
import { claimDeliveries } from './claim-repository'
import { createRecorder } from './record-outcomes'

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

async function start(answer?: (received: Received) => Response | Promise<Response>, own: Parameters<typeof startParts>[1] = {}) {
  const receiver = startReceiver(answer)
  stops.push(receiver.stop)
  const parts = await startParts([receiver.origin], own)
  stops.push(parts.stop)
  return { ...parts, ...receiver, stop: undefined }
}

const all = (endpointId: string) => ({ endpointId, status: null, beforeSeq: null, limit: 1_000 })

test('an event that comes twice is delivered once, and an independent library verifies it', async () => {
  const { origin, received, ...parts } = await start()
  const { endpoint, secret } = await parts.createEndpoint('acct_a', `${origin}/hook`)
  await parts.createEndpoint('acct_b', `${origin}/of-another`)
  parts.startSender()
  const message = taskMessage('acct_a', 'vt_1', 'taskEnded')
  await parts.receive([message])
  await parts.receive([message])
  await until('it to be delivered', async () => (await listDeliveries(parts.sql, all(endpoint.id)))[0]?.status === 'delivered')
  expect(received).toHaveLength(1)
  const [first] = received
  if (!first) throw new Error('nothing was received')
  const { headers, body } = first
  expect(new Webhook(secret).verify(body, headers)).toEqual({
    type: 'task.completed',
    timestamp: expect.any(String),
    data: { task: { id: 'vt_1', status: 'completed', model: 'alpha' }, tags: { shot: '12' } },
  })
  const [delivery] = await listDeliveries(parts.sql, all(endpoint.id))
  expect(delivery).toMatchObject({ id: headers['webhook-id'], event: 'task.completed', taskId: 'vt_1' })
  expect(delivery?.attempts).toEqual([
    { at: expect.any(String), duration_ms: expect.any(Number), status: 200, error: null, answer: 'taken' },
  ])
})

test('after a rotation the former secret signs too', async () => {
  const { origin, received, ...parts } = await start()
  const { endpoint, secret } = await parts.createEndpoint('acct_a', `${origin}/hook`)
  const rotated = await rotateSecret(parts, { accountId: 'acct_a', id: endpoint.id })
  parts.startSender()
  await parts.receive([taskMessage('acct_a', 'vt_1', 'taskEnded')])
  const { headers, body } = await until('a delivery', () => received[0])
  for (const each of [secret, rotated?.secret ?? ''])
    expect(new Webhook(each).verify(body, headers)).toMatchObject({ type: 'task.completed' })
})

test('of a task, what comes second waits until the first is delivered', async () => {
  let refusals = 2
  const { origin, received, ...parts } = await start(
    ({ type }) => new Response('', { status: type === 'task.in_review' && refusals-- > 0 ? 500 : 200 }),
  )
  await parts.createEndpoint('acct_a', `${origin}/hook`)
  parts.startSender()
  await parts.receive([taskMessage('acct_a', 'vt_1', 'taskInReview'), taskMessage('acct_a', 'vt_1', 'taskEnded')])
  await parts.receive([taskMessage('acct_a', 'vt_2', 'taskEnded')])
  await until('all of them', () => received.length === 5)
  expect(received.filter(({ taskId }) => taskId === 'vt_1').map(({ type }) => type)).toEqual([
    ...['task.in_review', 'task.in_review', 'task.in_review', 'task.completed'],
  ])
})

test('endpoints that never answer hold up no other, although they fill all the attempts they may have', async () => {
  const { origin, received, ...parts } = await start(
    ({ path }) => (path === '/dead' ? new Promise<Response>(() => {}) : new Response('')),
    { attemptsMax: 8, attemptTimeoutMs: 60_000, leaseMs: 90_000 },
  )
  const { endpoint } = await parts.createEndpoint('acct_good', `${origin}/good`)
  parts.startSender()
  await parts.receive([taskMessage('acct_good', 'vt_0', 'taskEnded')])
  await until('the first', async () => (await listDeliveries(parts.sql, all(endpoint.id)))[0]?.status === 'delivered')
  for (let account = 0; account < 40; account += 1) await parts.createEndpoint(`acct_${account}`, `${origin}/dead`)
  await parts.receive(Array.from({ length: 400 }, (_, index) => taskMessage(`acct_${index % 40}`, `vt_${index}`, 'taskEnded')))
  await until('dead ones to be in work', () => received.filter(({ path }) => path === '/dead').length >= 8)
  await parts.receive(Array.from({ length: 20 }, (_, index) => taskMessage('acct_good', `vt_g${index}`, 'taskEnded')))
  await until('the good ones', () => received.filter(({ path }) => path === '/good').length === 21, 20_000)
  expect(received.filter(({ path }) => path === '/dead')).toHaveLength(8)
})

test.each([
  ['control characters', 'a\u0000b\n\u001f\u007f\u009fc"\\é', 'a\ufffdb\ufffd\ufffd\ufffd\ufffdc"\\é'],
  ['more than 256 bytes', 'x'.repeat(5_000), 'x'.repeat(256)],
  ['a character cut at 256 bytes', `${'x'.repeat(255)}é`, `${'x'.repeat(255)}\ufffd`],
])('of an answer of %s a start is kept that is safe to show', async (_, body, kept) => {
  const { origin, ...parts } = await start(() => new Response(body))
  const { endpoint } = await parts.createEndpoint('acct_a', `${origin}/hook`)
  parts.startSender()
  await parts.receive([taskMessage('acct_a', 'vt_1', 'taskEnded')])
  const attempt = await until('an attempt', async () => (await listDeliveries(parts.sql, all(endpoint.id)))[0]?.attempts[0])
  expect(attempt).toMatchObject({ status: 200, answer: kept })
})

test('a page of deliveries with as many attempts and as long answers as are kept is below 2 MB', async () => {
  const { origin, ...parts } = await start(() => new Response(new Uint8Array(300).fill(0xff)))
  const { endpoint } = await parts.createEndpoint('acct_a', `${origin}/hook`)
  await parts.receive([taskMessage('acct_a', 'vt_1', 'taskEnded')])
  const old = { at: '2026-11-26T12:00:00.000Z', duration_ms: 10_000, status: 500, error: 'status_unexpected', answer: '' }
  await parts.sql`
    update delivery set attempts = (select jsonb_agg(${JSON.stringify(old)}::text::jsonb) from generate_series(1, 20))
    where endpoint_id = ${endpoint.id}`
  parts.startSender()
  const [delivery] = await until('it to be delivered', async () => {
    const rows = await listDeliveries(parts.sql, all(endpoint.id))
    return rows[0]?.status === 'delivered' ? rows : undefined
  })
  const attempts = delivery?.attempts ?? []
  expect([attempts.length, attempts.at(-1)?.answer]).toEqual([20, '\ufffd'.repeat(256)])
  const page = JSON.stringify(Array.from({ length: 2_000 }, () => attempts.at(-1)))
  expect(Buffer.byteLength(page)).toBeLessThan(2_000_000)
})

test('a redirect is a failure, and is not followed', async () => {
  const { origin, received, ...parts } = await start(({ path }) =>
    path === '/away' ? new Response('', { status: 307, headers: { location: '/inwards' } }) : new Response(''),
  )
  const { endpoint } = await parts.createEndpoint('acct_a', `${origin}/away`)
  parts.startSender()
  await parts.receive([taskMessage('acct_a', 'vt_1', 'taskEnded')])
  const attempt = await until('an attempt', async () => (await listDeliveries(parts.sql, all(endpoint.id)))[0]?.attempts[0])
  expect(attempt).toMatchObject({ status: 307, error: 'redirect_not_followed' })
  expect(received.map(({ path }) => path)).not.toContain('/inwards')
})

test('an endpoint that is gone is paused; resumed, it gets what waited', async () => {
  let status = 410
  const { origin, received, ...parts } = await start(() => new Response('', { status }))
  const { endpoint } = await parts.createEndpoint('acct_a', `${origin}/hook`)
  parts.startSender()
  await parts.receive([taskMessage('acct_a', 'vt_1', 'taskEnded')])
  const paused = await until('a pause', async () => {
    const found = await findEndpoint(parts.sql, 'acct_a', endpoint.id)
    return found?.pausedAt ? found : undefined
  })
  expect(paused.pausedReason).toBe('the endpoint answered 410 Gone')
  await parts.receive([taskMessage('acct_a', 'vt_2', 'taskEnded')])
  status = 200
  await resumeEndpoint(parts.sql, endpoint.id, null)
  parts.wake()
  await until('both', async () => (await listDeliveries(parts.sql, all(endpoint.id))).every(delivery => delivery.status === 'delivered'))
  expect(received.map(({ taskId }) => taskId).toSorted()).toEqual(['vt_1', 'vt_1', 'vt_2'])
})

test('a resumed endpoint gets at once what waits for a later attempt, and in order within a task', async () => {
  const { origin, received, ...parts } = await start()
  const { endpoint } = await parts.createEndpoint('acct_a', `${origin}/hook`)
  await parts.receive([taskMessage('acct_a', 'vt_1', 'taskInReview'), taskMessage('acct_a', 'vt_1', 'taskEnded')])
  await parts.receive([taskMessage('acct_a', 'vt_2', 'taskEnded')])
  await parts.sql`update delivery set due_at = now() + interval '4 hours', tries = 12 where endpoint_id = ${endpoint.id}`
  await parts.sql`update endpoint set paused_at = now(), due_at = now() + interval '4 hours' where id = ${endpoint.id}`
  await parts.sql`update delivery set lease_until = now() + interval '1 hour', epoch = 1 where task_id = 'vt_2'`
  await resumeEndpoint(parts.sql, endpoint.id, null)
  const waiting = await parts.sql`select tries, due_at <= now() as due from delivery where endpoint_id = ${endpoint.id} order by seq`
  expect([...waiting]).toEqual([
    { tries: 0, due: true },
    { tries: 0, due: true },
    { tries: 12, due: false },
  ])
  parts.startSender()
  await until('both of the first task', () => received.length === 2)
  expect(received.map(({ type }) => type)).toEqual(['task.in_review', 'task.completed'])
})

test('what a killed service held is sent when its lease ends, and its late outcome changes nothing', async () => {
  const { origin, received, ...parts } = await start()
  const { endpoint } = await parts.createEndpoint('acct_a', `${origin}/hook`)
  await parts.receive([taskMessage('acct_a', 'vt_1', 'taskEnded')])
  const claim = { lane: 'working' as const, retryForSeconds: 60, leaseMs: 1_000, limit: 5 }
  const [held] = await claimDeliveries(parts.sql, claim)
  if (!held) throw new Error('nothing was claimed')
  expect(await claimDeliveries(parts.sql, claim)).toEqual([])
  parts.startSender()
  await until('it to be sent', () => received.length === 1)
  await until('it to be delivered', async () => (await listDeliveries(parts.sql, all(endpoint.id)))[0]?.status === 'delivered')
  const late = { at: '2026-11-26T12:00:00.000Z', duration_ms: 1, status: 500, error: 'status_unexpected', answer: '' }
  expect(await createRecorder(parts)({ claimed: held, attempt: late })).toBeUndefined()
  expect((await listDeliveries(parts.sql, all(endpoint.id)))[0]).toMatchObject({ status: 'delivered', attempts: [{ status: 200 }] })
})

test('a name that leads inwards is refused at each attempt', async () => {
  const { ...parts } = await start()
  const { endpoint } = await parts.createEndpoint('acct_a', 'https://hooks.example.com/hook')
  await parts.sql`update endpoint set url = 'https://10.0.0.1/hook' where id = ${endpoint.id}`
  parts.startSender()
  await parts.receive([taskMessage('acct_a', 'vt_1', 'taskEnded')])
  const attempt = await until('an attempt', async () => (await listDeliveries(parts.sql, all(endpoint.id)))[0]?.attempts[0])
  expect(attempt).toMatchObject({ status: null, error: 'address_forbidden' })
})
