import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '@filmgate/kit/testing'
import { expectOperatorHeals } from '../../testing/lost-answer'
import { simulatorKey, startTestSystem, type TestSystem } from '../../testing/test-system'

let system: TestSystem
/** With xAI's key and no other provider's. */
beforeAll(async () => {
  system = await startTestSystem(simulatorUrl => ({
    ...{ XAI_API_KEY: simulatorKey, FILMGATE_XAI_URL: `${simulatorUrl}/xai/v1`, FILMGATE_SIMULATOR_URL: '' },
  }))
})
afterAll(() => system.stop())

const order = { model: 'epsilon-1.5', durationSeconds: 6, resolution: '480p', aspectRatio: '16:9' }
const words = () => `words ${crypto.randomUUID()}`

type Attempt = { provider: string; provider_model: string; state: string }

async function attemptsOf(taskId: string): Promise<Attempt[]> {
  const answer = await system.operator('GET', `/tasks/${taskId}`)
  return ((await answer.json()) as { attempts: Attempt[] }).attempts
}

test.concurrent.each([
  order,
  { ...order, resolution: '720p', aspectRatio: '2:3', durationSeconds: 15 },
  { ...order, aspectRatio: 'adaptive' },
])('with xAI’s key alone an order for %o goes over xAI, and ends as a copied video', async wanted => {
  const prompt = words()
  await system.behave(prompt, { name: 'instant' })
  const taskId = await system.reserve({ ...wanted, prompt })
  const { videoUrl } = await system.event(taskId, 'generationCompleted')
  expect((await fetch(videoUrl)).headers.get('content-type')).toBe('video/mp4')
  expect(await attemptsOf(taskId)).toMatchObject([{ provider: 'xai', provider_model: 'grok-imagine-video-1.5', state: 'completed' }])
})

test('what xAI has no mapping for is refused where it is alone, and so is what it refuses', async () => {
  const [unsaid, refused] = [words(), words()]
  await system.behave(refused, { name: 'refuse', code: 'balance_exhausted' })
  const first = await system.reserve({ ...order, prompt: unsaid, aspectRatio: '21:9' })
  const second = await system.reserve({ ...order, prompt: refused })
  await Promise.all([first, second].map(taskId => system.event(taskId, 'generationRefused')))
  expect((await attemptsOf(first)).map(({ provider, state }) => [provider, state])).toEqual([['', 'refused']])
  expect((await attemptsOf(second)).map(({ provider, state }) => [provider, state])).toEqual([['xai', 'refused']])
  expect([await system.submitCount(unsaid), await system.submitCount(refused)]).toEqual([0, 1])
})

test('a withheld video and a failed one end as what they are', async () => {
  const [withheld, failed] = [words(), words()]
  await system.behave(withheld, { name: 'moderated' })
  await system.behave(failed, { name: 'fails_after_accept' })
  const first = await system.reserve({ ...order, prompt: withheld })
  const second = await system.reserve({ ...order, prompt: failed })
  expect((await system.event(first, 'generationFailed')).code).toBe('output_moderated')
  expect((await system.event(second, 'generationFailed')).code).toBe('generation_failed')
})

test.concurrent.each(['accept_then_drop', 'accept_then_500', 'bad_json'])(
  'an answer lost by %s is sent to nobody again, waits for an operator, and goes on under the id that he names',
  lostBy => expectOperatorHeals(system, { order, lostBy, wrongId: crypto.randomUUID(), reason: 'its support names it' }),
)

test('one that vanishes after it was accepted, and one whose id was told falsely, are never believed to be absent', async () => {
  const taskIds = await Promise.all(
    ['vanishes', 'wrong_id'].map(async name => {
      const prompt = words()
      await system.behave(prompt, { name }, { name: 'never_finishes' })
      return system.reserve({ ...order, prompt })
    }),
  )
  for (const taskId of taskIds) await system.event(taskId, 'generationAccepted')
  await until('they were seen missing six times', async () => {
    const metrics = await (await fetch(`${system.dispatcherUrl()}/metrics`)).text()
    return Number(/^provider_polls(?:_total)?\{(?=[^}]*provider="xai")[^}]*status="missing"[^}]*\} (\d+)/m.exec(metrics)?.[1]) >= 6
  })
  for (const taskId of taskIds) expect(system.casesOf(taskId)).toEqual(['generationAccepted'])
})
