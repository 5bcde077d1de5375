import { afterAll, beforeAll, expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { MediaKind, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { ownRoutes } from '../../config'
import { readRoutes } from '../../routing/read-routes'
import { createRouting } from '../../routing/routing'
import { drive, endOf, signal, startFakes, submission } from '../../testing/drive-fake'
import { fakeNamed, type OrderInit, refused } from '../../testing/fakes'
import { ProviderTrouble } from '../call'
import { generating } from '../mapping/running'

let simulator: Awaited<ReturnType<typeof startFakes>>
beforeAll(async () => {
  simulator = await startFakes()
})
afterAll(() => simulator.stop())

const driverOf = (name: string) => drive(simulator.url, fakeNamed(name), simulator.connect(fakeNamed(name)))
const picturesAt = (...fields: string[]) =>
  fields.map((field, at) => ({ kind: MediaKind.IMAGE, field, index: at, url: simulator.pictureUrl(`${field}-${at}`) }))

test('kling: many are polled in one call, each answered in its place', async () => {
  const { acceptWith, provider } = driverOf('kling')
  const [one, other] = [await acceptWith({ name: 'instant' }), await acceptWith({ name: 'never_finishes' })]
  const end = await endOf(one.poll)
  const absent = { ...one.polled, providerTaskId: '893605946402811985' }
  expect(await provider.poll([other.polled, absent, one.polled], signal)).toEqual([generating(), { status: 'missing' }, end])
})

test('kling: a pair of keys is no key', async () => {
  const { acceptWith, submissionOf } = driverOf('kling')
  const { polled, sent } = await acceptWith({ name: 'never_finishes' })
  const stranger = simulator.connect(fakeNamed('kling'), { key: 'a1b2c3d4e5f6a7b8:s1e2c3r4e5t6k7e8y9' })
  await expect(stranger.poll([polled], signal)).rejects.toThrow(ProviderTrouble)
  expect(await stranger.checkKey(signal)).toBe('refused')
  await expect(stranger.lookUp?.(sent.attemptId, signal)).rejects.toThrow(ProviderTrouble)
  expect(await stranger.submit(submissionOf('prompt'), signal)).toMatchObject({ outcome: 'refused', cause: 'answered 401 1002' })
})

test('runware: one that vanishes, and one whose id was ignored, are running for ever: neither is missing', async () => {
  const { acceptWith, provider } = driverOf('runware')
  for (const name of ['vanishes', 'ignore_token']) {
    const { polled } = await acceptWith({ name }, { name: 'instant' })
    expect(await provider.poll([polled], signal)).toEqual([{ status: 'running' }])
  }
})

test.each(['ark, attempts marked', 'google, Omni'])('%s: a mark that is ignored is not repeated, and no poll waits for it', async name => {
  const { polled, poll } = await driverOf(name).acceptWith({ name: 'ignore_token' }, { name: 'never_finishes' })
  expect(polled.echoed).toBe(false)
  expect(await poll()).toMatchObject({ status: 'running' })
})

test('minimax: an id of the other form is unknown', async () => {
  for (const [name, other] of [
    ['minimax, H3', 'MiniMax-Hailuo-2.3'],
    ['minimax, Hailuo', 'MiniMax-H3'],
  ] as const) {
    const { acceptWith, provider } = driverOf(name)
    const { polled } = await acceptWith({ name: 'never_finishes' })
    expect(await provider.identify({ ...polled, providerModel: other }, signal)).toBeUndefined()
  }
})

test('fal: an id of another app is missing', async () => {
  const { acceptWith, provider } = driverOf('fal')
  const { polled } = await acceptWith({ name: 'never_finishes' })
  expect(await provider.poll([{ ...polled, providerModel: 'fal-ai/veo3.1/fast' }], signal)).toEqual([{ status: 'missing' }])
})

test('pixverse: another key uploads nothing', async () => {
  const stranger = simulator.connect(fakeNamed('pixverse'), { key: 'another-key-altogether' })
  expect(await stranger.uploadInputs?.(picturesAt('image_url'), signal)).toMatchObject(refused)
})

test.each<[string, OrderInit, string[]]>([
  ['google, Veo', { mode: 'image-to-video' }, ['image_url', 'end_image_url']],
  ['google, Omni', { mode: 'media-to-video', resolution: '360p' }, ['reference_image_urls', 'reference_image_urls']],
])('%s: pictures reach the renderer as they were sent', async (name, changes, fields) => {
  const { provider, pollOf } = driverOf(name)
  const inputs = picturesAt(...fields)
  const uploaded = await provider.uploadInputs?.(inputs, signal)
  if (uploaded?.outcome !== 'uploaded') throw new Error(JSON.stringify(uploaded))
  const changed: OrderInit = { ...fakeNamed(name).order, ...changes, prompt: `prompt ${crypto.randomUUID()}`, inputs }
  const sent = submission(provider, create(OrderSchema, changed), uploaded.media)
  const outcome = await provider.submit(sent, signal)
  if (outcome.outcome !== 'accepted') throw new Error(JSON.stringify(outcome))
  expect(await endOf(pollOf(sent, outcome.providerTaskId, outcome.echoed).poll)).toMatchObject({ status: 'succeeded' })
})

test('dashscope: what has no mapping there goes nowhere, and is never put as something near it', () => {
  const routing = createRouting(readRoutes([ownRoutes]), [simulator.connect(fakeNamed('dashscope'))])
  const image = { kind: MediaKind.IMAGE, field: 'reference_image_urls', index: 0, url: 'https://ours.example/a' }
  const order = { ...fakeNamed('dashscope').order, model: 'eta-2.6', prompt: 'prompt', generateAudio: true }
  const routesOf = (changes: OrderInit) => routing.routesOf(create(OrderSchema, { ...order, ...changes }))
  expect(routesOf({}).map(({ providerModel }) => providerModel)).toEqual(['wan2.6-t2v'])
  for (const changes of [
    { prompt: 'x'.repeat(1_501) },
    { generateAudio: false },
    { aspectRatio: '21:9' },
    { durationSeconds: 6 },
    { mode: 'media-to-video', inputs: [image] },
  ])
    expect(routesOf(changes)).toEqual([])
})
