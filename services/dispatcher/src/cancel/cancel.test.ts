import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { until } from '@filmgate/kit/testing'
import { NotCancelledReason } from '@filmgate/proto/gen/filmgate/v1/generations_pb'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { orangeSquare } from '../testing/orange-square'
import { type Behaviour, newTaskId, simulatorKey, startTestSystem, type TestSystem } from '../testing/test-system'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem()
})
afterAll(() => system?.stop())

const newOrder = () => ({ prompt: `words ${randomUUID()}`, taskId: newTaskId(), accountId: `acc_${randomUUID()}` })

async function reserved(...behaviours: Behaviour[]) {
  const order = newOrder()
  await system.behave(order.prompt, ...behaviours)
  await system.reserve(order)
  return order
}

const reasonOf = async (taskId: string) => NotCancelledReason[(await system.event(taskId, 'generationNotCancelled')).reason]
const codesOf = (taskId: string) =>
  system.eventsOf(taskId).flatMap(event => (event.case === 'generationRefused' ? [event.value.code] : [event.case]))

test('a cancel before the order ends the task, and the order that comes after it starts nothing', async () => {
  const order = newOrder()
  for (let i = 0; i < 5; i++) await system.cancel(order.taskId, order.accountId)
  expect(await system.event(order.taskId, 'generationRefused')).toMatchObject({ code: 'cancelled', accountId: order.accountId })
  await system.reserve(order)
  await until('the order meets its end', () => codesOf(order.taskId).length === 2)
  expect(codesOf(order.taskId)).toEqual(['cancelled', 'cancelled'])
  expect(await system.submitCount(order.prompt)).toBe(0)
})

test('a cancel of an order whose copies the provider could not read ends it before another submit', async () => {
  const key = `test/${randomUUID()}.png`
  await system.inputs.put(key, orangeSquare, { contentType: 'image/png' })
  const input = { kind: MediaKind.IMAGE, field: 'image_url', index: 0, url: 'https://client.example/frame.png' }
  const order = { ...newOrder(), mode: 'image-to-video', aspectRatio: 'adaptive', inputs: [input] }
  await system.behave(order.prompt, { name: 'refuse', code: 'input_unreachable' })
  await system.verify(order, [{ input, objectKey: key }])
  await until('it waits for our store', async () => {
    const [job] = await system.sql`select from job join attempt using (id) where task_id = ${order.taskId} and payload ? 'answered'`
    return job !== undefined
  })
  await system.cancel(order.taskId, order.accountId)
  await system.event(order.taskId, 'generationRefused')
  expect(codesOf(order.taskId)).toEqual(['cancelled'])
  expect(await system.submitCount(order.prompt)).toBe(1)
  await system.inputs.remove([key])
})

test('a task whose end is there already hears nothing more of its cancel', async () => {
  const order = await reserved({ name: 'instant' })
  await system.event(order.taskId, 'generationCompleted')
  await system.cancel(order.taskId, order.accountId)
  await until('its job has ended', async () => (await system.sql`select from job where id = ${order.taskId}`).count === 0)
  expect(system.casesOf(order.taskId)).toEqual(['generationAccepted', 'generationProgressed', 'generationCompleted'])
})

test('a task of which a provider may have taken the submit goes on', async () => {
  const order = await reserved({ name: 'drop_before_accept' })
  await system.event(order.taskId, 'generationUncertain')
  await system.cancel(order.taskId, order.accountId)
  expect(await reasonOf(order.taskId)).toBe('UNCERTAIN')
})

/** How a generation that is cancelled while it runs ends, by what its provider does. */
const ends: [name: string, behaviours: Behaviour[], cases: string[]][] = [
  ['cancels it', [], ['generationAccepted', 'generationFailed']],
  ['cancels it and says nothing', [{ name: 'cancel_silent', takes: true }], ['generationAccepted', 'generationFailed']],
  ['lies and completes it', [{ name: 'cancel_lies' }], ['generationAccepted', 'generationProgressed', 'generationCompleted']],
  [
    'refuses',
    [{ name: 'cancel_refused' }],
    ['generationAccepted', 'generationNotCancelled', 'generationProgressed', 'generationCompleted'],
  ],
  ['is silent', [{ name: 'cancel_silent' }], ['generationAccepted', 'generationProgressed', 'generationCompleted']],
]
for (const [name, behaviours, cases] of ends)
  test(`a provider that ${name}, asked by five at once`, async () => {
    const order = await reserved(...behaviours, { name: 'slow', delay_ms: 2_500 }, { name: 'instant' })
    await system.event(order.taskId, 'generationAccepted')
    for (let i = 0; i < 5; i++) await system.cancel(order.taskId, order.accountId)
    const last = cases.at(-1) as 'generationFailed' | 'generationCompleted'
    const end = await system.event(order.taskId, last)
    if (last === 'generationFailed') expect(end).toMatchObject({ code: 'cancelled' })
    const told = system.casesOf(order.taskId)
    expect([...new Set(told)]).toEqual(cases as typeof told)
    expect(told.filter(one => one === 'generationCompleted' || one === 'generationFailed')).toEqual([last])
    expect(await system.submitCount(order.prompt)).toBe(1)
  })

test('a cancel during the submit waits for its answer, then asks', async () => {
  const order = await reserved({ name: 'accept_late', delay_ms: 1_000 }, { name: 'never_finishes' })
  await until('it is being sent', async () => (await system.sql`select from attempt where task_id = ${order.taskId}`).count === 1)
  await system.cancel(order.taskId, order.accountId)
  expect(await system.event(order.taskId, 'generationFailed')).toMatchObject({ code: 'cancelled' })
  expect(system.casesOf(order.taskId)).toEqual(['generationAccepted', 'generationFailed'])
})

test('a generation that its provider cancelled though nobody asked has failed there', async () => {
  const order = await reserved({ name: 'never_finishes' })
  await system.event(order.taskId, 'generationAccepted')
  const [submit] = await system.submitsOf(order.prompt)
  const headers = { authorization: `Bearer ${simulatorKey}` }
  await fetch(`${system.simulator.url}/v1/generations/${submit?.generation_id}/cancel`, { method: 'POST', headers })
  expect(await system.event(order.taskId, 'generationFailed')).toMatchObject({ code: 'generation_failed' })
})
