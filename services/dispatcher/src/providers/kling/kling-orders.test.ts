import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '@filmgate/kit/testing'
import { seenMissing } from '../../testing/seen-missing'
import { simulatorKey, startTestSystem, type TestSystem } from '../../testing/test-system'

let system: TestSystem
/** With Kling's key and no other provider's. */
beforeAll(async () => {
  system = await startTestSystem(simulatorUrl => ({
    ...{ KLING_API_KEY: simulatorKey, FILMGATE_KLING_URL: `${simulatorUrl}/kling`, FILMGATE_SIMULATOR_URL: '' },
  }))
})
afterAll(() => system.stop())

const order = { model: 'delta-3.0', durationSeconds: 5, resolution: '720p', aspectRatio: '16:9', generateAudio: false }
const words = () => `words ${crypto.randomUUID()}`

type Attempt = { id: string; provider: string; provider_model: string; provider_task_id: string | null; state: string }

async function attemptsOf(taskId: string): Promise<Attempt[]> {
  const answer = await system.operator('GET', `/tasks/${taskId}`)
  return ((await answer.json()) as { attempts: Attempt[] }).attempts
}

test.concurrent.each([
  ['text-to-video/kling-3.0', order],
  ['text-to-video/kling-3.0', { ...order, resolution: '4k', aspectRatio: '1:1', generateAudio: true }],
  ['text-to-video/kling-3.0-turbo', { ...order, model: 'delta-3.0-turbo', resolution: '1080p', generateAudio: undefined }],
  ['omni-video/kling-3.0-omni', { ...order, model: 'delta-v3-omni', aspectRatio: 'adaptive', durationSeconds: 15 }],
  ['omni-video/kling-o1', { ...order, model: 'delta-video-o1', aspectRatio: '9:16', generateAudio: undefined }],
  ['text-to-video/kling-2.6', { ...order, model: 'delta-2.6', durationSeconds: 10 }],
  ['text-to-video/kling-2.6', { ...order, model: 'delta-2.6', resolution: '1080p', generateAudio: true }],
])('with Kling’s key alone %s is ordered there, and ends as a copied video', async (providerModel, wanted) => {
  const prompt = words()
  await system.behave(prompt, { name: 'instant' })
  const taskId = await system.reserve({ ...wanted, prompt })
  const { videoUrl } = await system.event(taskId, 'generationCompleted')
  expect((await fetch(videoUrl)).headers.get('content-type')).toBe('video/mp4')
  const [attempt, ...more] = await attemptsOf(taskId)
  expect(more).toEqual([])
  expect(attempt).toMatchObject({ provider: 'kling', provider_model: providerModel, state: 'completed' })
  const [submit] = await system.submitsOf(prompt)
  expect(submit).toMatchObject({ client_task_id: attempt?.id, generation_id: attempt?.provider_task_id })
})

test.each([
  ['4:3', { ...order, aspectRatio: '4:3' }],
  ['a seed', { ...order, seed: 7n }],
  ['a watermark', { ...order, watermark: true }],
  ['sound at 720p', { ...order, model: 'delta-2.6', generateAudio: true }],
])('what Kling has no mapping for is refused where it is alone: %s', async (_, wanted) => {
  const taskId = await system.reserve({ ...wanted, prompt: words() })
  await system.event(taskId, 'generationRefused')
  expect((await attemptsOf(taskId)).map(({ provider, state }) => [provider, state])).toEqual([['', 'refused']])
})

test.concurrent.each(['accept_then_drop', 'accept_then_500', 'bad_json', 'wrong_id'])(
  'an answer lost by %s heals by our own id, and is submitted once',
  async name => {
    const prompt = words()
    await system.behave(prompt, { name }, { name: 'instant' })
    const taskId = await system.reserve({ ...order, prompt })
    await system.event(taskId, 'generationCompleted')
    expect(system.casesOf(taskId).filter(one => one === 'generationRefused' || one === 'generationFailed')).toEqual([])
    expect((await system.submitsOf(prompt)).length).toBe(1)
  },
)

const metric = async (form: RegExp): Promise<number> =>
  Number(form.exec(await (await fetch(`${system.dispatcherUrl()}/metrics`)).text())?.[1])

test('one that never arrived is not believed to be absent: it waits for an operator, and is sent to nobody again', async () => {
  const prompt = words()
  await system.behave(prompt, { name: 'drop_before_accept' })
  const taskId = await system.reserve({ ...order, prompt })
  await system.event(taskId, 'generationUncertain')
  await until(
    'it was looked up three times',
    async () => (await metric(/^provider_call_seconds_count\{(?=[^}]*provider="kling")(?=[^}]*call="look-up")[^}]*\} (\d+)/m)) >= 3,
  )
  expect(system.casesOf(taskId)).toEqual(['generationUncertain'])
  const accept = await system.operator('POST', `/reviews/${taskId}/accept`, { provider_task_id: '893605946402811985', reason: 'a guess' })
  expect(accept.status).toBe(409)
  expect((await system.operator('POST', `/reviews/${taskId}/refund`, { reason: 'its console has nothing of it' })).ok).toBe(true)
  await system.event(taskId, 'generationRefused')
  expect((await system.submitsOf(prompt)).length).toBe(1)
})

test('one that vanishes after it was accepted is never refunded for that', async () => {
  const prompt = words()
  await system.behave(prompt, { name: 'vanishes' }, { name: 'never_finishes' })
  const taskId = await system.reserve({ ...order, prompt })
  await system.event(taskId, 'generationAccepted')
  await seenMissing(system, 'kling', 2)
  expect(system.casesOf(taskId)).toEqual(['generationAccepted'])
  expect((await attemptsOf(taskId)).map(({ provider, state }) => [provider, state])).toEqual([['kling', 'accepted']])
})
