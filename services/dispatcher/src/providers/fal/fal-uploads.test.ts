import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '@filmgate/kit/testing'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { orangeSquare } from '../../testing/orange-square'
import { newTaskId, simulatorKey, startTestSystem, type TestSystem } from '../../testing/test-system'

/** In the place of fal, before the simulator's fake: what it is asked, and whether an upload that is asked for waits. */
const asked: string[] = []
let waits: Promise<unknown> | undefined
let falUrl = ''
const front = Bun.serve({
  port: 0,
  idleTimeout: 0,
  async fetch(request) {
    const { pathname, search } = new URL(request.url)
    asked.push(`${request.method} ${pathname}`)
    if (pathname.endsWith('/initiate')) await waits
    const body = request.method === 'GET' ? undefined : await request.bytes()
    return fetch(`${falUrl}${pathname}${search}`, { method: request.method, headers: request.headers, body })
  },
})

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem(simulatorUrl => {
    falUrl = simulatorUrl
    return { FAL_KEY: simulatorKey, FILMGATE_FAL_URL: `http://127.0.0.1:${front.port}/fal` }
  })
})
afterAll(async () => {
  await system?.stop()
  await front.stop(true)
})

/** An order with a picture, whose copy is in our store unless it is said to be missing. */
async function orderWithPicture({ isMissing = false, isRendered = false } = {}) {
  const [taskId, prompt] = [newTaskId(), `words ${crypto.randomUUID()}`]
  const objectKey = `inputs/${taskId}/1-0.png`
  if (!isMissing) await system.inputs.put(objectKey, orangeSquare, { contentType: 'image/png' })
  if (!isRendered) await system.behave(prompt, { name: 'instant' })
  const order = {
    ...{ taskId, prompt, model: 'delta-3.0', mode: 'image-to-video', durationSeconds: 3, resolution: '720p' },
    ...{ aspectRatio: 'adaptive', generateAudio: false },
    inputs: [{ kind: MediaKind.IMAGE, field: 'image_url', index: 0, url: 'https://example.com/lake.png' }],
  }
  await system.verify(order, [{ input: order.inputs[0], objectKey }])
  return { taskId, prompt }
}

const statesOf = (taskId: string) => system.sql<{ number: number; state: string; cause: string | null }[]>`
  select number, state, cause from attempt where task_id = ${taskId} order by number`

test('an input goes into fal’s own storage where fal can’t read ours, and the submit names it there', async () => {
  const { taskId, prompt } = await orderWithPicture({ isRendered: true })
  await system.event(taskId, 'generationCompleted')
  expect((await system.submitsOf(prompt)).length).toBe(1)
  const calls = asked.map(one => one.replace(/[0-9a-f-]{36}/, 'ID')).filter(one => one.includes('/storage/'))
  expect(calls).toEqual(['POST /fal/storage/upload/initiate', 'PUT /fal/storage/uploads/ID', 'GET /fal/storage/files/ID/image_url-0.png'])
})

test('a copy that our store lacks is sent to nobody', async () => {
  const { taskId, prompt } = await orderWithPicture({ isMissing: true })
  await system.event(taskId, 'generationRefused')
  expect((await system.submitsOf(prompt)).length).toBe(0)
  expect(await statesOf(taskId)).toMatchObject([{ state: 'refused', cause: 'not sent: our store answered 404 to an input' }])
})

test('a dispatcher that is killed while it uploads costs no review: nothing was sent, and another attempt is made', async () => {
  const held = Promise.withResolvers<void>()
  waits = held.promise
  const before = asked.length
  const { taskId, prompt } = await orderWithPicture()
  await until('the upload to be asked for', async () => asked.length > before)
  await system.killDispatcher('SIGKILL')
  waits = undefined
  held.resolve()
  await system.startDispatcher()
  await system.event(taskId, 'generationCompleted')
  expect(await statesOf(taskId)).toMatchObject([
    { number: 1, state: 'refused', cause: 'not sent: its sender ended while it uploaded the inputs' },
    { number: 2, state: 'completed' },
  ])
  expect(system.casesOf(taskId)).not.toContain('generationUncertain')
  expect((await system.submitsOf(prompt)).length).toBe(1)
})

test('a sender that froze while it uploaded sends nothing once another has taken over', async () => {
  const held = Promise.withResolvers<void>()
  waits = held.promise
  const before = asked.length
  const { taskId, prompt } = await orderWithPicture()
  await until('the upload to be asked for', async () => asked.length > before)
  await system.sql`update job set epoch = epoch + 1, lease_until = now() + interval '1 hour' where id = (select id from attempt where task_id = ${taskId})`
  waits = undefined
  held.resolve()
  await until('its picture to be uploaded', async () => asked.slice(before).some(one => one.startsWith('PUT ')))
  await until('its sender to be done', async () =>
    /^submits_in_flight 0$/m.test(await (await fetch(`${system.dispatcherUrl()}/metrics`)).text()),
  )
  expect((await system.submitsOf(prompt)).length).toBe(0)
  expect(await statesOf(taskId)).toMatchObject([{ number: 1, state: 'sending' }])
})
