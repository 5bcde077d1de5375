import { afterAll, beforeAll, expect, test } from 'bun:test'
import { expectOperatorHeals } from '../../testing/lost-answer'
import { seenMissing } from '../../testing/seen-missing'
import { behaveOnce, simulatorKey, startTestSystem, type TestSystem } from '../../testing/test-system'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem(simulatorUrl => ({ FAL_KEY: simulatorKey, FILMGATE_FAL_URL: `${simulatorUrl}/fal` }))
})
afterAll(() => system.stop())

const order = { model: 'delta-3.0', durationSeconds: 5, resolution: '720p', aspectRatio: '16:9', generateAudio: false }
const words = () => `words ${crypto.randomUUID()}`

async function attemptsOf(taskId: string) {
  const answer = await system.operator('GET', `/tasks/${taskId}`)
  const { attempts } = (await answer.json()) as { attempts: { provider: string; provider_model: string; state: string }[] }
  return attempts.map(({ provider, provider_model, state }) => [provider, provider_model, state])
}

test('with fal’s key an order goes over fal, and ends as a copied video', async () => {
  const prompt = words()
  await system.behave(prompt, { name: 'instant' })
  const taskId = await system.reserve({ ...order, prompt })
  const { videoUrl } = await system.event(taskId, 'generationCompleted')
  expect((await fetch(videoUrl)).headers.get('content-type')).toBe('video/mp4')
  expect(await attemptsOf(taskId)).toEqual([['fal', 'fal-ai/kling-video/v3/standard/text-to-video', 'completed']])
})

test('what fal has no mapping for, and what it refuses, is refused: the simulator makes no video in its place', async () => {
  const [unsaid, refused] = [words(), words()]
  await system.behave(unsaid, { name: 'instant' })
  await behaveOnce(system.simulator.url, refused, { name: 'refuse', code: 'balance_exhausted' })
  await system.behave(refused, { name: 'instant' })
  const first = await system.reserve({ ...order, prompt: unsaid, seed: 7n })
  const second = await system.reserve({ ...order, prompt: refused })
  await Promise.all([first, second].map(taskId => system.event(taskId, 'generationRefused')))
  expect((await attemptsOf(first)).map(([provider, , state]) => [provider, state])).toEqual([['', 'refused']])
  expect((await attemptsOf(second)).map(([provider, , state]) => [provider, state])).toEqual([['fal', 'refused']])
  expect([await system.submitCount(unsaid), await system.submitCount(refused)]).toEqual([0, 1])
})

test('a model that fal doesn’t have is the simulator’s', async () => {
  const prompt = words()
  await system.behave(prompt, { name: 'instant' })
  const taskId = await system.reserve({ model: 'zeta-3-video', prompt })
  await system.event(taskId, 'generationCompleted')
  expect(await attemptsOf(taskId)).toEqual([['simulator', 'zeta-3-video', 'completed']])
})

test('a lost answer is sent to nobody again, waits for an operator, and goes on under the id that he names', () =>
  expectOperatorHeals(system, { order, wrongId: '00000000-0000-0000-0000-000000000000', reason: 'its dashboard shows it' }))

test('a provider that can’t name what it accepted is never believed to have nothing', async () => {
  const prompt = words()
  await system.behave(prompt, { name: 'vanishes' }, { name: 'never_finishes' })
  const taskId = await system.reserve({ ...order, prompt })
  await system.event(taskId, 'generationAccepted')
  await seenMissing(system, 'fal', 2)
  expect(system.casesOf(taskId)).toEqual(['generationAccepted'])
  expect((await attemptsOf(taskId)).map(([provider, , state]) => [provider, state])).toEqual([['fal', 'accepted']])
})
