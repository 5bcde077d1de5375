import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { until } from '@filmgate/kit/testing'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { orangeSquare } from './testing/orange-square'
import { newTaskId, startTestSystem, type TestSystem } from './testing/test-system'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem()
})
afterAll(() => system?.stop())

const words = () => `words ${randomUUID()}`

test('an order becomes a video that anyone who has its address can fetch', async () => {
  const prompt = words()
  await system.behave(prompt, { name: 'instant' })
  const taskId = await system.reserve({ prompt })
  const { videoUrl, bytes, sha256 } = await system.event(taskId, 'generationCompleted')
  const answer = await fetch(videoUrl)
  const body = new Uint8Array(await answer.arrayBuffer())
  expect({
    status: answer.status,
    type: answer.headers.get('content-type'),
    bytes: BigInt(body.length),
    sha256: new Bun.CryptoHasher('sha256').update(body).digest('hex'),
  }).toEqual({
    status: 200,
    type: 'video/mp4',
    bytes,
    sha256,
  })
  expect(system.casesOf(taskId)).toEqual(['generationAccepted', 'generationProgressed', 'generationCompleted'])
})

test('an order delivered again changes nothing and is told what it has come to', async () => {
  const prompt = words()
  await system.behave(prompt, { name: 'instant' })
  const order = { prompt, taskId: newTaskId(), accountId: 'acc_again' }
  for (let i = 0; i < 3; i++) await system.reserve(order)
  await system.event(order.taskId, 'generationCompleted')
  await system.reserve(order)
  const last = await system.reserve({ prompt, accountId: order.accountId })
  await system.event(last, 'generationCompleted')
  const cases = system.casesOf(order.taskId)
  expect([...new Set(cases)]).toEqual(['generationAccepted', 'generationProgressed', 'generationCompleted'])
  // The last delivery came after the end.
  expect(cases.at(-1)).toBe('generationCompleted')
  expect(cases.filter(one => one === 'generationCompleted').length).toBeGreaterThanOrEqual(2)
  expect((await system.submitsOf(prompt)).length).toBe(2)
})

test('an order with media waits for its managed copies, and the provider gets addresses of those', async () => {
  const prompt = words()
  const key = `test/${randomUUID()}.png`
  await system.inputs.put(key, orangeSquare, { contentType: 'image/png' })
  const input = { kind: MediaKind.IMAGE, field: 'image_url', index: 0, url: 'https://client.example/frame.png' }
  const order = { prompt, taskId: newTaskId(), accountId: 'acc_media', mode: 'image-to-video', aspectRatio: 'adaptive', inputs: [input] }
  await system.reserve(order)
  const other = await system.reserve({ prompt: words(), accountId: order.accountId })
  await system.event(other, 'generationCompleted')
  expect(system.casesOf(order.taskId)).toEqual([])
  await system.verify(order, [{ input, objectKey: key }])
  await system.event(order.taskId, 'generationCompleted')
  expect((await system.submitsOf(prompt)).length).toBe(1)
  await system.inputs.remove([key])
})

test('an order met after its admit_by is refused, and no provider hears of it', async () => {
  const prompt = words()
  const taskId = await system.reserve({ prompt, admitBy: timestampFromMs(Date.now() - 1) })
  expect((await system.event(taskId, 'generationRefused')).code).toBe('generation_unavailable')
  expect(await system.submitsOf(prompt)).toEqual([])
})

test('an order redelivered after its admit_by keeps what became of it', async () => {
  const prompt = words()
  await system.behave(prompt, { name: 'instant' })
  const order = { prompt, taskId: newTaskId(), accountId: 'acc_late' }
  await system.reserve(order)
  await system.event(order.taskId, 'generationCompleted')
  await system.reserve({ ...order, admitBy: timestampFromMs(Date.now() - 1) })
  const last = await system.reserve({ prompt, accountId: order.accountId })
  await system.event(last, 'generationCompleted')
  expect(system.casesOf(order.taskId)).not.toContain('generationRefused')
})

test('a refusal of the provider is told as what the client can do about it', async () => {
  const codes = ['invalid_request', 'unauthorized', 'balance_exhausted', 'forbidden', 'too_many_requests', 'content_rejected']
  const refused = codes.map(async code => {
    const prompt = words()
    await system.behave(prompt, { name: 'refuse', code })
    const taskId = await system.reserve({ prompt })
    const told = (await system.event(taskId, 'generationRefused')).code
    return [code, told, system.casesOf(taskId).length, (await system.submitsOf(prompt)).length]
  })
  expect(await Promise.all(refused)).toEqual([
    ['invalid_request', 'generation_unavailable', 1, 1],
    ['unauthorized', 'generation_unavailable', 1, 1],
    ['balance_exhausted', 'generation_unavailable', 1, 1],
    ['forbidden', 'generation_unavailable', 1, 1],
    ['too_many_requests', 'generation_unavailable', 1, 1],
    ['content_rejected', 'prompt_rejected', 1, 1],
  ])
})

test('many orders at once: each submitted once', async () => {
  const prompt = words()
  await system.behave(prompt, { name: 'never_finishes' })
  const taskIds = await Promise.all(Array.from({ length: 700 }, () => system.reserve({ prompt })))
  await until('all are accepted', () => taskIds.every(taskId => system.casesOf(taskId)[0] === 'generationAccepted'), 30_000)
  const submits = await system.sql<{ id: string }[]>`select id from attempt where task_id = any(${taskIds}) and state = 'accepted'`
  expect(submits.length).toBe(700)
  expect(await system.submitCount(prompt)).toBe(700)
})

test('events carry the trace of the request', async () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  const prompt = words()
  await system.behave(prompt, { name: 'instant' })
  const taskId = await system.reserve({ prompt }, traceparent)
  await system.event(taskId, 'generationCompleted')
  const traces = system.seen.filter(({ event }) => event.value?.taskId === taskId).map(one => one.traceparent?.slice(3, 35))
  expect(traces).toEqual(Array(3).fill(traceparent.slice(3, 35)))
})

test('stopped in an orderly way, it waits for the answers under way', async () => {
  const prompt = words()
  await system.behave(prompt, { name: 'accept_late', delay_ms: 1_000 }, { name: 'instant' })
  const taskId = await system.reserve({ prompt })
  await until('the attempt is durable', async () => (await system.sql`select 1 from attempt where task_id = ${taskId}`).count === 1)
  await system.killDispatcher('SIGTERM')
  expect(await system.sql`select state from attempt where task_id = ${taskId}`).toEqual([{ state: 'accepted' }] as never)
  await system.startDispatcher()
  await system.event(taskId, 'generationCompleted')
  expect(system.casesOf(taskId)).not.toContain('generationUncertain')
})
