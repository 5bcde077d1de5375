import { afterAll, beforeAll, expect, test } from 'bun:test'
import { expectOperatorHeals } from '../../testing/lost-answer'
import { seenMissing } from '../../testing/seen-missing'
import { simulatorKey, startTestSystem, type TestSystem } from '../../testing/test-system'

let system: TestSystem
/** With MiniMax's key and no other provider's. */
beforeAll(async () => {
  system = await startTestSystem(simulatorUrl => ({
    ...{ MINIMAX_API_KEY: simulatorKey, FILMGATE_MINIMAX_URL: `${simulatorUrl}/minimax`, FILMGATE_SIMULATOR_URL: '' },
  }))
})
afterAll(() => system.stop())

const h3 = { model: 'alpha-h3', durationSeconds: 4, resolution: '768p', aspectRatio: '16:9' }
const hailuo = { model: 'kappa-2.3', durationSeconds: 6, resolution: '1080p', aspectRatio: 'adaptive' }
const words = () => `words ${crypto.randomUUID()}`

async function attemptsOf(taskId: string) {
  const answer = await system.operator('GET', `/tasks/${taskId}`)
  const { attempts } = (await answer.json()) as { attempts: { provider: string; provider_model: string; state: string }[] }
  return attempts.map(({ provider, provider_model, state }) => [provider, provider_model, state])
}

test.concurrent.each([
  [h3, 'MiniMax-H3'],
  [{ ...h3, resolution: '2k', aspectRatio: '21:9', durationSeconds: 15 }, 'MiniMax-H3'],
  [{ ...h3, model: 'alpha-h3-max', resolution: '480p', durationSeconds: 5 }, 'MiniMax-H3-Max'],
  [hailuo, 'MiniMax-Hailuo-2.3'],
  [{ ...hailuo, model: 'kappa-02', resolution: '768p', durationSeconds: 10 }, 'MiniMax-Hailuo-02'],
])('with MiniMax’s key alone an order for %o goes over MiniMax, and ends as a copied video', async (wanted, providerModel) => {
  const prompt = words()
  await system.behave(prompt, { name: 'instant' })
  const taskId = await system.reserve({ ...wanted, prompt })
  const { videoUrl } = await system.event(taskId, 'generationCompleted')
  expect((await fetch(videoUrl)).headers.get('content-type')).toBe('video/mp4')
  expect(await attemptsOf(taskId)).toEqual([['minimax', providerModel, 'completed']])
})

test('what MiniMax has no mapping for, and what it refuses with 200 and a code, is refused', async () => {
  const [unsaid, refused] = [words(), words()]
  await system.behave(refused, { name: 'refuse', code: 'balance_exhausted' })
  const first = await system.reserve({ ...hailuo, aspectRatio: '9:16', prompt: unsaid })
  const second = await system.reserve({ ...hailuo, prompt: refused })
  await Promise.all([first, second].map(taskId => system.event(taskId, 'generationRefused')))
  expect((await attemptsOf(first)).map(([provider, , state]) => [provider, state])).toEqual([['', 'refused']])
  expect((await attemptsOf(second)).map(([provider, , state]) => [provider, state])).toEqual([['minimax', 'refused']])
  expect([await system.submitCount(unsaid), await system.submitCount(refused)]).toEqual([0, 1])
})

test.concurrent.each([h3, hailuo])('a lost answer of %o is sent to nobody again, and goes on under the id that an operator names', order =>
  expectOperatorHeals(system, { order, wrongId: '123456789012345', reason: 'its console shows it' }),
)

test('one that vanishes after it was accepted is never refunded for that', async () => {
  const prompt = words()
  await system.behave(prompt, { name: 'vanishes' }, { name: 'never_finishes' })
  const taskId = await system.reserve({ ...h3, prompt })
  await system.event(taskId, 'generationAccepted')
  await seenMissing(system, 'minimax', 2)
  expect(system.casesOf(taskId)).toEqual(['generationAccepted'])
  expect((await attemptsOf(taskId)).map(([provider, , state]) => [provider, state])).toEqual([['minimax', 'accepted']])
})
