import { afterAll, beforeAll, expect, test } from 'bun:test'
import { expectOperatorHeals } from '../../testing/lost-answer'
import { seenMissing } from '../../testing/seen-missing'
import { behaveOnce, simulatorKey, startTestSystem, type TestSystem } from '../../testing/test-system'

let system: TestSystem
/** With DashScope's key and no other provider's. */
beforeAll(async () => {
  system = await startTestSystem(simulatorUrl => ({
    ...{ DASHSCOPE_API_KEY: simulatorKey, FILMGATE_DASHSCOPE_URL: `${simulatorUrl}/dashscope/api/v1`, FILMGATE_SIMULATOR_URL: '' },
  }))
})
afterAll(() => system.stop())

const order = { model: 'eta-3.0', durationSeconds: 3, resolution: '480p', aspectRatio: '16:9', generateAudio: false }
const words = () => `words ${crypto.randomUUID()}`

type Attempt = { provider: string; provider_model: string; provider_task_id: string | null; state: string }

async function attemptsOf(taskId: string): Promise<Attempt[]> {
  const answer = await system.operator('GET', `/tasks/${taskId}`)
  return ((await answer.json()) as { attempts: Attempt[] }).attempts
}

test.concurrent.each([
  ['wan2.5-t2v-preview', { ...order, model: 'eta-2.5', durationSeconds: 5, aspectRatio: 'adaptive', generateAudio: undefined }],
  ['wan2.6-t2v', { ...order, model: 'eta-2.6', durationSeconds: 5, resolution: '720p', aspectRatio: '9:16', generateAudio: true }],
  ['wan2.7-t2v', { ...order, model: 'eta-2.7', resolution: '720p', aspectRatio: '4:3', generateAudio: undefined, seed: 7n }],
  ['wan3.0-video', { ...order, aspectRatio: '1:1', generateAudio: true }],
])('with DashScope’s key alone %s is ordered there, and ends as a copied video', async (providerModel, wanted) => {
  const prompt = words()
  await system.behave(prompt, { name: 'instant' })
  const taskId = await system.reserve({ ...wanted, prompt })
  const { videoUrl } = await system.event(taskId, 'generationCompleted')
  expect((await fetch(videoUrl)).headers.get('content-type')).toBe('video/mp4')
  const [attempt, ...more] = await attemptsOf(taskId)
  expect(more).toEqual([])
  expect(attempt).toMatchObject({ provider: 'dashscope', provider_model: providerModel, state: 'completed' })
})

test('what DashScope would cut or has no mapping for never leaves, and what it refuses is refused', async () => {
  const [cut, unsaid, refused] = [words(), words(), words()]
  await behaveOnce(system.simulator.url, refused, { name: 'refuse', code: 'balance_exhausted' })
  await system.behave(refused, { name: 'instant' })
  const wanted = { ...order, model: 'eta-2.6', durationSeconds: 5, resolution: '720p', generateAudio: true }
  const tasks = [
    await system.reserve({ ...wanted, prompt: cut.padEnd(1_501, 'x') }),
    await system.reserve({ ...wanted, prompt: unsaid, generateAudio: false }),
    await system.reserve({ ...order, prompt: refused }),
  ]
  await Promise.all(tasks.map(taskId => system.event(taskId, 'generationRefused')))
  const attempts = await Promise.all(tasks.map(attemptsOf))
  expect(attempts.map(own => own.map(({ provider, state }) => [provider, state]))).toEqual([
    [['', 'refused']],
    [['', 'refused']],
    [['dashscope', 'refused']],
  ])
  expect(await Promise.all([cut, unsaid, refused].map(own => system.submitCount(own)))).toEqual([0, 0, 1])
})

test.concurrent.each(['accept_then_drop', 'accept_then_500', 'bad_json'])(
  'an answer lost by %s is sent to nobody again, waits for an operator, and goes on under the id that he names',
  lostBy => expectOperatorHeals(system, { order, lostBy, wrongId: crypto.randomUUID(), reason: 'its console shows it' }),
)

test('one that DashScope says to be UNKNOWN was accepted, and is never refunded for that', async () => {
  const prompt = words()
  await system.behave(prompt, { name: 'vanishes' }, { name: 'never_finishes' })
  const taskId = await system.reserve({ ...order, prompt })
  await system.event(taskId, 'generationAccepted')
  await seenMissing(system, 'dashscope', 3)
  expect(system.casesOf(taskId)).toEqual(['generationAccepted'])
  expect((await attemptsOf(taskId)).map(({ provider, state }) => [provider, state])).toEqual([['dashscope', 'accepted']])
})
