import { afterAll, beforeAll, expect, test } from 'bun:test'
import { expectOperatorHeals } from '../../testing/lost-answer'
import { simulatorKey, startTestSystem, type TestSystem } from '../../testing/test-system'

let system: TestSystem
/** With Replicate's key and no other provider's. */
beforeAll(async () => {
  system = await startTestSystem(simulatorUrl => ({
    ...{ REPLICATE_API_TOKEN: simulatorKey, FILMGATE_REPLICATE_URL: `${simulatorUrl}/replicate/v1`, FILMGATE_SIMULATOR_URL: '' },
  }))
})
afterAll(() => system.stop())

const order = { model: 'beta-2.0-fast', durationSeconds: 4, resolution: '480p', aspectRatio: '16:9', generateAudio: false }
const newPrompt = () => `prompt ${crypto.randomUUID()}`

async function attemptsOf(taskId: string): Promise<(string | undefined)[][]> {
  const answer = await system.operator('GET', `/tasks/${taskId}`)
  const { attempts } = (await answer.json()) as { attempts: Record<string, string>[] }
  return attempts.map(attempt => ['provider', 'provider_model', 'state'].map(name => attempt[name]))
}

test.each([
  ['bytedance/seedance-2.0-fast', order],
  ['bytedance/seedance-2.0', { ...order, model: 'beta-2.0', resolution: '720p', aspectRatio: 'adaptive', durationSeconds: 5 }],
])('with Replicate’s key alone an order goes to %s, and ends as a copied video', async (model, wanted) => {
  const prompt = newPrompt()
  await system.behave(prompt, { name: 'instant' })
  const taskId = await system.reserve({ ...wanted, prompt })
  const { videoUrl } = await system.event(taskId, 'generationCompleted')
  expect((await fetch(videoUrl)).headers.get('content-type')).toBe('video/mp4')
  expect(await attemptsOf(taskId)).toEqual([['replicate', model, 'completed']])
})

test.each(['accept_then_drop', 'accept_then_500', 'bad_json'])(
  'an answer lost by %s is sent to nobody again, waits for an operator, and goes on under the id that he names',
  lostBy => expectOperatorHeals(system, { order, lostBy, wrongId: 'gm3qorzdhgbfurvjtvhg6dckhu', reason: 'its list names it' }),
)
