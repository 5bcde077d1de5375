import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '@filmgate/kit/testing'
import { simulatorKey, startTestSystem, type TestSystem } from '../testing/test-system'

let system: TestSystem
let settings: Record<string, string> = {}
/** Providers whose silence on our own id proves nothing, with a look-up by it and without, which are asked about many at once, and about each. */
const orders = {
  kling: { model: 'delta-3.0', durationSeconds: 5, resolution: '720p', aspectRatio: '16:9' },
  google: { model: 'theta-omni-1.1-flash', durationSeconds: 10, resolution: '720p', aspectRatio: '9:16' },
}
beforeAll(async () => {
  system = await startTestSystem(url => {
    settings = { FILMGATE_KLING_URL: `${url}/kling`, FILMGATE_GOOGLE_URL: `${url}/google/v1beta`, FILMGATE_SIMULATOR_URL: '' }
    // A health check is valid for a part of the interval between misses: with many misses it is made anew for every poll.
    const checkedAnew = { FILMGATE_ABSENCE_SIGHTINGS_MIN: '1000' }
    return { ...settings, ...checkedAnew, KLING_API_KEY: simulatorKey, GEMINI_API_KEY: simulatorKey }
  })
})
afterAll(() => system?.stop())

const metrics = async () => (await fetch(`${system.dispatcherUrl()}/metrics`)).text()
const isHeld = async (provider: string) => (await metrics()).includes(`provider_absences_held{provider="${provider}"} 1`)
type ProviderRow = { provider: string; health: string }
const health = async () => {
  const { data } = (await (await system.operator('GET', '/providers')).json()) as { data: ProviderRow[] }
  return Object.fromEntries(data.filter(({ provider }) => provider in orders).map(row => [row.provider, row.health]))
}
/** As old as they are they are polled every half a minute. */
const pollNow = () => system.sql`update job set run_at = now() where id in (select id from attempt) and run_at > now()`
const untilAllHeld = async () => {
  for (const provider of Object.keys(orders)) await until(`${provider} is held`, async () => (await pollNow()) && isHeld(provider), 60_000)
}

test('a provider that knows nothing of ours, or refuses our key, has its absence checks suspended, and what is in flight there waits', async () => {
  const running = await Promise.all(
    Object.values(orders).map(async order => {
      const prompt = `words ${crypto.randomUUID()}`
      await system.behave(prompt, { name: 'never_finishes' }, { name: 'instant' })
      const taskId = await system.reserve({ ...order, prompt })
      await system.event(taskId, 'generationAccepted')
      return { taskId, prompt }
    }),
  )
  // Longer ago than the visibility bounds of both.
  await system.sql`update attempt set accepted_at = now() - interval '10 minutes'`
  expect(await health()).toEqual({ kling: 'misses_count', google: 'misses_count' })
  for (const provider of Object.keys(orders)) expect(await isHeld(provider)).toBe(false)

  await system.show({ shows: 'nothing' })
  await untilAllHeld()
  expect(await health()).toEqual({ kling: 'suspended_none_known', google: 'suspended_none_known' })
  await system.show({ shows: 'all' })

  await system.killDispatcher('SIGTERM')
  const wrong = 'a-key-of-somebody-else-altogether'
  await system.startDispatcher({ KLING_API_KEY: wrong, GEMINI_API_KEY: wrong })
  await untilAllHeld()
  expect(await health()).toEqual({ kling: 'suspended_key_refused', google: 'suspended_key_refused' })

  await system.killDispatcher('SIGTERM')
  await system.startDispatcher()
  for (const { prompt } of running) await system.release((await system.submitsOf(prompt))[0]?.generation_id ?? '')
  await pollNow()
  await Promise.all(running.map(({ taskId }) => system.event(taskId, 'generationCompleted')))
  for (const { taskId } of running)
    expect(system.casesOf(taskId)).toEqual(['generationAccepted', 'generationProgressed', 'generationCompleted'])
})
