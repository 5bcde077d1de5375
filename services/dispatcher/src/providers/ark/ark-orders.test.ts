import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '@filmgate/kit/testing'
import { expectOperatorHeals } from '../../testing/lost-answer'
import { seenMissing } from '../../testing/seen-missing'
import { simulatorKey, startTestSystem, type TestSystem } from '../../testing/test-system'

let system: TestSystem
/** With Ark's key and no other provider's. */
const arkAlone = (simulatorUrl: string) => ({
  ...{ ARK_API_KEY: simulatorKey, FILMGATE_ARK_URL: `${simulatorUrl}/ark/api/v3`, FILMGATE_SIMULATOR_URL: '' },
})
beforeAll(async () => {
  system = await startTestSystem(arkAlone)
})
afterAll(() => system?.stop())

const order = { model: 'beta-2.0-mini', durationSeconds: 4, resolution: '480p', aspectRatio: '16:9', generateAudio: false }
const words = () => `words ${crypto.randomUUID()}`

type Attempt = {
  id: string
  provider: string
  provider_model: string
  provider_task_id: string | null
  state: string
  cause: string | null
}

async function attemptsOf(taskId: string): Promise<Attempt[]> {
  const answer = await system.operator('GET', `/tasks/${taskId}`)
  return ((await answer.json()) as { attempts: Attempt[] }).attempts
}

const metricOf = async (pattern: RegExp) => Number(pattern.exec(await (await fetch(`${system.dispatcherUrl()}/metrics`)).text())?.[1])

test.concurrent.each([
  ['doubao-seedance-2-0-mini-260615', order],
  ['doubao-seedance-2-5-260628', { ...order, model: 'beta-2.5', resolution: '1080p', aspectRatio: 'adaptive', watermark: true }],
  ['doubao-seedance-2-0-260128', { ...order, model: 'beta-2.0', aspectRatio: '21:9', generateAudio: true }],
  ['doubao-seedance-2-0-fast-260128', { ...order, model: 'beta-2.0-fast', resolution: '720p', aspectRatio: '9:16' }],
  ['doubao-seedance-1-5-pro-251215', { ...order, model: 'beta-1.5-pro', seed: 7n }],
  ['doubao-seedance-1-0-pro-250528', { ...order, model: 'beta-1.0-pro', generateAudio: undefined, seed: 7n }],
  ['doubao-seedance-1-0-lite-t2v-250428', { ...order, model: 'beta-1.0-lite', generateAudio: undefined, aspectRatio: 'adaptive' }],
])('with Ark’s key alone %s is ordered there, and ends as a copied video', async (providerModel, wanted) => {
  const prompt = words()
  await system.behave(prompt, { name: 'instant' })
  const taskId = await system.reserve({ ...wanted, prompt })
  const { videoUrl } = await system.event(taskId, 'generationCompleted')
  expect((await fetch(videoUrl)).headers.get('content-type')).toBe('video/mp4')
  expect(await attemptsOf(taskId)).toMatchObject([{ provider: 'ark', provider_model: providerModel, state: 'completed' }])
})

test('what Ark has no mapping for, and a prompt that holds a parameter of Ark’s, is refused where it is alone, and never sent', async () => {
  const [unsaid, dearer] = [words(), words()]
  const first = await system.reserve({ ...order, prompt: unsaid, aspectRatio: '2:1' })
  const second = await system.reserve({ ...order, prompt: `${dearer} --dur 15 --rs 720p` })
  await Promise.all([first, second].map(taskId => system.event(taskId, 'generationRefused')))
  expect((await attemptsOf(first)).map(({ provider, state }) => [provider, state])).toEqual([['', 'refused']])
  expect((await attemptsOf(second)).map(({ provider, state, cause }) => [provider, state, cause])).toEqual([
    ['ark', 'refused', 'not sent: the prompt holds what Ark takes for a parameter'],
  ])
  expect([await system.submitCount(unsaid), await system.submitCount(dearer)]).toEqual([0, 0])
})

test('a lost answer is sent to nobody again, waits for an operator, and goes on under the id that he names', () =>
  expectOperatorHeals(system, { order, wrongId: 'cgt-20250629201507-n6k56', reason: 'its console shows it' }))

test('one that vanishes after it was accepted is never refunded for that', async () => {
  const prompt = words()
  await system.behave(prompt, { name: 'vanishes' }, { name: 'never_finishes' })
  const taskId = await system.reserve({ ...order, prompt })
  await system.event(taskId, 'generationAccepted')
  await seenMissing(system, 'ark', 2)
  expect(system.casesOf(taskId)).toEqual(['generationAccepted'])
})

test('where attempts are marked a lost answer heals by itself, and one that never arrived waits for an operator', async () => {
  await system.killDispatcher('SIGTERM')
  await system.startDispatcher({ FILMGATE_ARK_MARK_ATTEMPTS: '1' })
  const lost = await Promise.all(
    ['accept_then_drop', 'accept_then_500', 'bad_json'].map(async name => {
      const prompt = words()
      await system.behave(prompt, { name }, { name: 'instant' })
      return { prompt, taskId: await system.reserve({ ...order, prompt }) }
    }),
  )
  for (const { prompt, taskId } of lost) {
    await system.event(taskId, 'generationCompleted')
    expect((await system.submitsOf(prompt)).length).toBe(1)
  }
  const prompt = words()
  await system.behave(prompt, { name: 'drop_before_accept' })
  const taskId = await system.reserve({ ...order, prompt })
  await system.event(taskId, 'generationUncertain')
  const lookUps = /^provider_call_seconds_count\{(?=[^}]*provider="ark")(?=[^}]*call="look-up")[^}]*\} (\d+)/m
  const before = await metricOf(lookUps)
  await until('it was looked up three times', async () => (await metricOf(lookUps)) >= before + 3)
  expect(system.casesOf(taskId)).toEqual(['generationUncertain'])
  expect((await system.submitsOf(prompt)).length).toBe(1)
})
