import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '@filmgate/kit/testing'
import { simulatorKey, startTestSystem, type TestSystem } from '../../testing/test-system'
import { attemptIdOf } from './task-uuid'

let system: TestSystem
/** With Runware's key and no other provider's. */
beforeAll(async () => {
  system = await startTestSystem(simulatorUrl => ({
    ...{ RUNWARE_API_KEY: simulatorKey, FILMGATE_RUNWARE_URL: `${simulatorUrl}/runware/v1`, FILMGATE_SIMULATOR_URL: '' },
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
  [order, 'klingai:kling-video@3-standard'],
  [{ ...order, resolution: '4k', aspectRatio: '1:1' }, 'klingai:kling-video@3-4k'],
  [{ ...order, model: 'gamma-3.1-fast', durationSeconds: 8, generateAudio: undefined }, 'google:3@3'],
  [{ ...order, model: 'iota-q3-turbo', resolution: '540p', aspectRatio: '4:3' }, 'vidu:4@2'],
  [{ ...order, model: 'kappa-2.3', durationSeconds: 6, resolution: '768p', generateAudio: undefined }, 'minimax:4@1'],
  [{ ...order, model: 'alpha-h3', resolution: '2k', aspectRatio: '21:9', generateAudio: undefined }, 'minimax:h3@0'],
  [{ ...order, model: 'beta-2.0-mini', resolution: '480p', aspectRatio: 'adaptive' }, 'bytedance:seedance@2.0-mini'],
  [{ ...order, model: 'beta-2.0-fast', aspectRatio: '9:16' }, 'bytedance:seedance@2.0-fast'],
])('with Runware’s key alone an order for %o goes over Runware, and ends as a copied video', async (wanted, providerModel) => {
  const prompt = words()
  await system.behave(prompt, { name: 'instant' })
  const taskId = await system.reserve({ ...wanted, prompt })
  const { videoUrl } = await system.event(taskId, 'generationCompleted')
  expect((await fetch(videoUrl)).headers.get('content-type')).toBe('video/mp4')
  const [attempt, ...more] = await attemptsOf(taskId)
  expect(more).toEqual([])
  expect(attempt).toMatchObject({ provider: 'runware', provider_model: providerModel, state: 'completed' })
  expect(attemptIdOf(attempt?.provider_task_id ?? '')).toBe(attempt?.id ?? '')
})

test('what Runware has no mapping for is refused where it is alone', async () => {
  const taskId = await system.reserve({ ...order, prompt: words(), aspectRatio: '4:3' })
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

test('one that never arrived is not believed to be absent: it waits for an operator, and is sent to nobody again', async () => {
  const prompt = words()
  await system.behave(prompt, { name: 'drop_before_accept' })
  const taskId = await system.reserve({ ...order, prompt })
  await system.event(taskId, 'generationUncertain')
  await until('it was looked up three times', async () => {
    const metrics = await (await fetch(`${system.dispatcherUrl()}/metrics`)).text()
    return Number(/^provider_call_seconds_count\{(?=[^}]*provider="runware")(?=[^}]*call="look-up")[^}]*\} (\d+)/m.exec(metrics)?.[1]) >= 3
  })
  expect(system.casesOf(taskId)).toEqual(['generationUncertain'])
  const accept = await system.operator('POST', `/reviews/${taskId}/accept`, { provider_task_id: crypto.randomUUID(), reason: 'a guess' })
  expect(accept.status).toBe(409)
  expect((await system.operator('POST', `/reviews/${taskId}/refund`, { reason: 'its dashboard has nothing of it' })).ok).toBe(true)
  await system.event(taskId, 'generationRefused')
  expect((await system.submitsOf(prompt)).length).toBe(1)
})

test('one that vanishes after it was accepted is running, and is never refunded for that', async () => {
  const prompt = words()
  await system.behave(prompt, { name: 'vanishes' }, { name: 'never_finishes' })
  const taskId = await system.reserve({ ...order, prompt })
  await system.event(taskId, 'generationAccepted')
  await until('it was polled', async () => {
    const metrics = await (await fetch(`${system.dispatcherUrl()}/metrics`)).text()
    return Number(/^provider_polls(?:_total)?\{(?=[^}]*provider="runware")[^}]*status="running"[^}]*\} (\d+)/m.exec(metrics)?.[1]) >= 1
  })
  expect(system.casesOf(taskId)).toEqual(['generationAccepted'])
})
