import { afterAll, beforeAll, expect, test } from 'bun:test'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { expectOperatorHeals } from '../../testing/lost-answer'
import { orangeSquare } from '../../testing/orange-square'
import { seenMissing } from '../../testing/seen-missing'
import { newTaskId, simulatorKey, startTestSystem, type TestSystem } from '../../testing/test-system'

let system: TestSystem
/** With PixVerse's key and no other provider's. */
beforeAll(async () => {
  system = await startTestSystem(simulatorUrl => ({
    ...{ PIXVERSE_API_KEY: simulatorKey, FILMGATE_PIXVERSE_URL: `${simulatorUrl}/pixverse/openapi/v2`, FILMGATE_SIMULATOR_URL: '' },
  }))
})
afterAll(() => system?.stop())

const order = { model: 'lambda-v6', durationSeconds: 2, resolution: '360p', aspectRatio: '16:9', generateAudio: false }
const words = () => `words ${crypto.randomUUID()}`

type Attempt = { id: string; provider: string; provider_model: string; provider_task_id: string | null; state: string }

async function attemptsOf(taskId: string): Promise<Attempt[]> {
  const answer = await system.operator('GET', `/tasks/${taskId}`)
  return ((await answer.json()) as { attempts: Attempt[] }).attempts
}

/** An order with these pictures, whose copies are in our store unless they are said to be missing. It is rendered from them. */
async function orderWith(fields: string[], { isMissing = false } = {}) {
  const [taskId, prompt] = [newTaskId(), words()]
  const inputs = fields.map((field, index) => ({ kind: MediaKind.IMAGE, field, index: 0, url: `https://example.com/${index}.png` }))
  const media = await Promise.all(
    inputs.map(async (input, index) => {
      const objectKey = `inputs/${taskId}/1-${index}.png`
      if (!isMissing) await system.inputs.put(objectKey, orangeSquare, { contentType: 'image/png' })
      return { input, objectKey }
    }),
  )
  await system.verify({ ...order, taskId, prompt, inputs, mode: 'image-to-video', aspectRatio: 'adaptive' }, media)
  return { taskId, prompt }
}

test.concurrent.each([
  ['that says little', {}],
  ['that says all', { durationSeconds: 15, resolution: '1080p', aspectRatio: '21:9', generateAudio: true, watermark: true, seed: 7n }],
])('with PixVerse’s key alone an order %s goes over PixVerse, and ends as a copied video', async (_, changes) => {
  const prompt = words()
  await system.behave(prompt, { name: 'instant' })
  const taskId = await system.reserve({ ...order, ...changes, prompt })
  const { videoUrl } = await system.event(taskId, 'generationCompleted')
  expect((await fetch(videoUrl)).headers.get('content-type')).toBe('video/mp4')
  const [attempt, ...more] = await attemptsOf(taskId)
  expect(more).toEqual([])
  expect(attempt).toMatchObject({ provider: 'pixverse', provider_model: 'text/v6', state: 'completed' })
})

test.each([
  [['image_url'], 'img/v6'],
  [['image_url', 'end_image_url'], 'transition/v6'],
])('one with %o is uploaded, and goes to the kind that takes these', async (fields, providerModel) => {
  const { taskId, prompt } = await orderWith(fields)
  await system.event(taskId, 'generationCompleted')
  expect((await attemptsOf(taskId)).map(({ provider_model, state }) => [provider_model, state])).toEqual([[providerModel, 'completed']])
  expect((await system.submitsOf(prompt)).length).toBe(1)
})

test('a copy that our store lacks is sent to nobody', async () => {
  const { taskId, prompt } = await orderWith(['image_url'], { isMissing: true })
  await system.event(taskId, 'generationRefused')
  expect((await system.submitsOf(prompt)).length).toBe(0)
})

test('what PixVerse has no mapping for is refused where it is alone', async () => {
  for (const changes of [{ aspectRatio: '2:1' }, { prompt: 'x'.repeat(5_001) }]) {
    const taskId = await system.reserve({ ...order, prompt: words(), ...changes })
    await system.event(taskId, 'generationRefused')
    expect((await attemptsOf(taskId)).map(({ provider, state }) => [provider, state])).toEqual([['', 'refused']])
  }
})

test.concurrent.each(['accept_then_drop', 'accept_then_500', 'bad_json'])(
  'an answer lost by %s is sent to nobody again, waits for an operator, and goes on under the id that he names',
  lostBy => expectOperatorHeals(system, { order, lostBy, wrongId: '1', reason: 'its dashboard shows it' }),
)

test('one that vanishes after it was accepted is never refunded for that', async () => {
  const prompt = words()
  await system.behave(prompt, { name: 'vanishes' }, { name: 'never_finishes' })
  const taskId = await system.reserve({ ...order, prompt })
  await system.event(taskId, 'generationAccepted')
  await seenMissing(system, 'pixverse', 2)
  expect(system.casesOf(taskId)).toEqual(['generationAccepted'])
})
