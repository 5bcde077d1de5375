import { afterAll, beforeAll, expect, test } from 'bun:test'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { expectOperatorHeals } from '../../testing/lost-answer'
import { orangeSquare } from '../../testing/orange-square'
import { seenMissing } from '../../testing/seen-missing'
import { newTaskId, simulatorKey, startTestSystem, type TestSystem } from '../../testing/test-system'

let system: TestSystem
/** With Google's key and no other provider's. */
beforeAll(async () => {
  system = await startTestSystem(simulatorUrl => ({
    ...{ GEMINI_API_KEY: simulatorKey, FILMGATE_GOOGLE_URL: `${simulatorUrl}/google/v1beta`, FILMGATE_SIMULATOR_URL: '' },
  }))
})
afterAll(() => system.stop())

const veo = { model: 'gamma-3.1-fast', durationSeconds: 8, resolution: '720p', aspectRatio: '16:9' }
const omni = { model: 'theta-omni-1.1-flash', durationSeconds: 10, resolution: '720p', aspectRatio: '9:16' }
const words = () => `words ${crypto.randomUUID()}`

type Attempt = {
  id: string
  number: number
  provider: string
  provider_model: string
  provider_task_id: string | null
  state: string
  cause?: string
}

async function attemptsOf(taskId: string): Promise<Attempt[]> {
  const answer = await system.operator('GET', `/tasks/${taskId}`)
  return ((await answer.json()) as { attempts: Attempt[] }).attempts
}

test.concurrent.each([
  [veo, 'veo-3.1-fast-generate-preview'],
  [{ ...veo, resolution: '4k', aspectRatio: 'adaptive' }, 'veo-3.1-fast-generate-preview'],
  [omni, 'gemini-omni-1.1-flash'],
  [{ ...omni, resolution: '360p', aspectRatio: 'adaptive' }, 'gemini-omni-1.1-flash'],
])('with Google’s key alone an order for %o goes over Google, and ends as a copied video', async (wanted, providerModel) => {
  const prompt = words()
  await system.behave(prompt, { name: 'instant' })
  const taskId = await system.reserve({ ...wanted, prompt })
  const { videoUrl } = await system.event(taskId, 'generationCompleted')
  expect((await fetch(videoUrl)).headers.get('content-type')).toBe('video/mp4')
  expect(await attemptsOf(taskId)).toMatchObject([{ provider: 'google', provider_model: providerModel, state: 'completed' }])
})

test('what Google has no mapping for is refused where it is alone', async () => {
  for (const more of [{ seed: 7n }, { aspectRatio: '1:1' }, { watermark: true }]) {
    const taskId = await system.reserve({ ...veo, ...more, prompt: words() })
    await system.event(taskId, 'generationRefused')
    expect((await attemptsOf(taskId)).map(({ provider, state }) => [provider, state])).toEqual([['', 'refused']])
  }
})

/** An order with pictures, whose copies are in our store unless they are said to be missing. */
async function orderWithPictures(wanted: object, fields: [string, number][], { isMissing = false } = {}) {
  const [taskId, prompt] = [newTaskId(), words()]
  const media = fields.map(([field, index], at) => ({
    input: { kind: MediaKind.IMAGE, field, index, url: 'https://example.com/lake.png' },
    objectKey: `inputs/${taskId}/1-${at}.png`,
  }))
  if (!isMissing) for (const { objectKey } of media) await system.inputs.put(objectKey, orangeSquare, { contentType: 'image/png' })
  await system.behave(prompt, { name: 'instant' })
  await system.verify({ ...wanted, taskId, prompt, inputs: media.map(({ input }) => input) }, media)
  return { taskId, prompt }
}

test.concurrent.each<[string, object, [string, number][]]>([
  [
    'frames of Veo',
    { ...veo, mode: 'image-to-video' },
    [
      ['image_url', 0],
      ['end_image_url', 0],
    ],
  ],
  ['a frame of Omni', { ...omni, mode: 'image-to-video' }, [['image_url', 0]]],
  [
    'references of Omni',
    { ...omni, mode: 'media-to-video' },
    [
      ['reference_image_urls', 0],
      ['reference_image_urls', 1],
    ],
  ],
])('%s are read from our store and sent within the submit', async (_, wanted, fields) => {
  const { taskId, prompt } = await orderWithPictures(wanted, fields)
  await system.event(taskId, 'generationCompleted')
  expect((await system.submitsOf(prompt)).length).toBe(1)
  expect(await attemptsOf(taskId)).toMatchObject([{ provider: 'google', state: 'completed' }])
})

test('a copy that our store lacks is sent to nobody', async () => {
  const { taskId, prompt } = await orderWithPictures({ ...omni, mode: 'image-to-video' }, [['image_url', 0]], { isMissing: true })
  await system.event(taskId, 'generationRefused')
  expect((await system.submitsOf(prompt)).length).toBe(0)
  expect(await attemptsOf(taskId)).toMatchObject([{ state: 'refused', cause: 'not sent: our store answered 404 to an input' }])
})

test('a model that Google has closed is refused, and nothing is asked of it again', async () => {
  const prompt = words()
  await system.behave(prompt, { name: 'refuse', code: 'not_found' })
  const taskId = await system.reserve({ ...veo, prompt })
  await system.event(taskId, 'generationRefused')
  expect(await attemptsOf(taskId)).toMatchObject([{ provider: 'google', state: 'refused', cause: 'answered 404 NOT_FOUND' }])
})

test('a lost answer is sent to nobody again, waits for an operator, and goes on under the id that he names', async () => {
  const [wrongId, reason] = ['v1_00000000000000000000000000000000', 'its webhook named it']
  await expectOperatorHeals(system, { order: veo, wrongId, reason, idOf: id => `models/veo-3.1-fast-generate-preview/operations/${id}` })
  await expectOperatorHeals(system, { order: omni, wrongId, reason })
})

test('an operator who names another attempt’s interaction is refused by its label', async () => {
  const [own, others] = [words(), words()]
  await system.behave(others, { name: 'never_finishes' })
  await system.behave(own, { name: 'accept_then_drop' }, { name: 'never_finishes' })
  const otherTaskId = await system.reserve({ ...omni, prompt: others })
  await system.event(otherTaskId, 'generationAccepted')
  const taskId = await system.reserve({ ...omni, prompt: own })
  await system.event(taskId, 'generationUncertain')
  const [other] = await attemptsOf(otherTaskId)
  const answer = await system.operator('POST', `/reviews/${taskId}/accept`, { provider_task_id: other?.provider_task_id, reason: 'a slip' })
  expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining(other?.id ?? '-')])
})

test('an output that leads elsewhere is fetched there without the key', async () => {
  const seen: (string | null)[] = []
  const elsewhere = Bun.serve({
    port: 0,
    fetch(request) {
      seen.push(request.headers.get('x-goog-api-key'))
      return new Response('no video', { status: 404 })
    },
  })
  const prompt = words()
  await system.behave(prompt, { name: 'output_redirect', to: `http://127.0.0.1:${elsewhere.port}/` }, { name: 'instant' })
  const taskId = await system.reserve({ ...veo, prompt })
  await system.event(taskId, 'generationUncertain')
  expect(seen).toEqual([])
  expect(await attemptsOf(taskId)).toMatchObject([{ state: 'copying' }])
  await elsewhere.stop(true)
})

test('an interaction that Google no longer knows is never believed to be absent', async () => {
  const prompt = words()
  await system.behave(prompt, { name: 'vanishes' }, { name: 'never_finishes' })
  const taskId = await system.reserve({ ...omni, prompt })
  await system.event(taskId, 'generationAccepted')
  await seenMissing(system, 'google', 2)
  expect(system.casesOf(taskId)).toEqual(['generationAccepted'])
})
