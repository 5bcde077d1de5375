import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Behaviour, behaveOnce, operatorToken, simulatorKey, startTestSystem, type TestSystem } from '../testing/test-system'

let system: TestSystem
const from = new Date(Date.now() - 60_000).toISOString()
beforeAll(async () => {
  system = await startTestSystem(simulatorUrl => ({
    ...{ FAL_KEY: simulatorKey, FILMGATE_FAL_URL: `${simulatorUrl}/fal` },
    ...{ RUNWARE_API_KEY: simulatorKey, FILMGATE_RUNWARE_URL: `${simulatorUrl}/runware/v1` },
  }))
})
afterAll(() => system?.stop())

const kling = { model: 'delta-3.0', durationSeconds: 5, resolution: '720p', aspectRatio: '16:9', generateAudio: false }
const omni = { model: 'theta-omni-1.1-flash', durationSeconds: 10, resolution: '720p', aspectRatio: '16:9' }
const words = () => `words ${crypto.randomUUID()}`

type Attempt = { provider: string; state: string; credits: number; cost_micro_usd: number | null; cost_basis: string }

async function made(order: object, ...behaviours: Behaviour[]) {
  const prompt = words()
  await system.behave(prompt, { name: 'instant' }, ...behaviours)
  return system.reserve({ ...order, prompt })
}

async function costsOf(taskId: string) {
  const { attempts } = (await (await system.operator('GET', `/tasks/${taskId}`)).json()) as { attempts: Attempt[] }
  return attempts.map(({ provider, state, credits, cost_micro_usd, cost_basis }) => [provider, state, credits, cost_basis, cost_micro_usd])
}

async function get(path: string) {
  const answer = await system.operator('GET', path)
  // biome-ignore lint/suspicious/noExplicitAny: each test looks at what its answer has.
  return { status: answer.status, body: (await answer.json()) as any }
}

const now = () => new Date(Date.now() + 1_000).toISOString()
const sumsOf = async (model: string, from: string) =>
  (await get(`/costs?from=${from}&to=${now()}`)).body.data.filter((one: { model: string }) => one.model === model)

test('fal’s units are money by their route’s price, of a withheld video too; without a price a video costs what the route lists', async () => {
  const from = new Date().toISOString()
  const wanted = [
    { behaviours: [], event: 'generationCompleted', costs: ['fal', 'completed', 50, 'told', 1_000_000] },
    { behaviours: [{ name: 'moderated' }], event: 'generationFailed', costs: ['fal', 'failed', 50, 'told', 1_000_000] },
    { behaviours: [{ name: 'cost_told', as: null }], event: 'generationCompleted', costs: ['fal', 'completed', 50, 'listed', 1_000_000] },
    { behaviours: [{ name: 'fails_after_accept' }], event: 'generationFailed', costs: ['fal', 'failed', 50, 'unknown', null] },
  ] as const
  const seen = wanted.map(async ({ behaviours, event }) => {
    const taskId = await made(omni, ...behaviours)
    await system.event(taskId, event)
    return costsOf(taskId)
  })
  expect(await Promise.all(seen)).toEqual(wanted.map(({ costs }) => [[...costs]]))
  expect(await sumsOf(omni.model, from)).toEqual([
    {
      ...{ provider: 'fal', model: omni.model, attempts: 4, open: 0, completed: 2, unknown: 1, credits: 100, unknown_credits: 0 },
      ...{ told_micro_usd: 2_000_000, listed_micro_usd: 1_000_000, lost_micro_usd: 1_000_000 },
    },
  ])
})

test('an order that fal refused cost nothing there, and at Runware what Runware says', async () => {
  const prompt = words()
  await behaveOnce(system.simulator.url, prompt, { name: 'refuse', code: 'too_many_requests' })
  await system.behave(prompt, { name: 'instant' })
  const taskId = await system.reserve({ ...kling, prompt })
  await system.event(taskId, 'generationCompleted')
  expect(await costsOf(taskId)).toEqual([
    ['fal', 'refused', 50, 'nothing', 0],
    ['runware', 'completed', 50, 'told', 420_000],
  ])
  const { body } = await get(`/costs/attempts?provider=runware&from=${from}&to=${now()}`)
  expect(body.next_cursor).toBeNull()
  expect(body.data).toMatchObject([
    { task_id: taskId, provider_model: 'klingai:kling-video@3-standard', basis: 'told', micro_usd: 420_000 },
  ])
  expect(body.data[0].provider_task_id).toMatch(/^[0-9a-f-]{36}$/)
})

test('a wrong cost changes nothing: the video is made, and its cost is what the route lists', async () => {
  const taskId = await made(kling, { name: 'cost_told', as: '-5' })
  await system.event(taskId, 'generationCompleted')
  expect(await costsOf(taskId)).toEqual([['fal', 'completed', 50, 'listed', 420_000]])
})

test('the worth of a credit and the margins are told, of a catalog that is empty too', async () => {
  expect((await get(`/costs?from=${from}&to=${now()}`)).body.credit_micro_usd).toBe(10_000)
  expect(await get('/margins')).toEqual({ status: 200, body: { credit_micro_usd: 10_000, data: [] } })
})

test('without the operator’s token, and without a time or a provider, nothing is shown', async () => {
  for (const path of ['/costs', '/costs/attempts']) {
    const bare = await fetch(`${system.dispatcherUrl()}/operator${path}?from=${from}&to=${now()}&provider=fal`)
    expect(bare.status).toBe(401)
    const wrong = await fetch(`${system.dispatcherUrl()}/operator${path}`, { headers: { authorization: `Bearer ${operatorToken}x` } })
    expect(wrong.status).toBe(401)
  }
  const faulty = [
    '/costs',
    `/costs?from=${from}`,
    `/costs?from=${now()}&to=${from}`,
    '/costs?from=2026-10-01T00:00:00Z&to=2026-11-02T00:00:00Z',
    '/costs?from=2026-02-30T00:00:00Z&to=2026-03-01T00:00:00Z',
    '/costs?from=%00&to=%ff',
    `/costs/attempts?from=${from}&to=${now()}`,
    `/costs?provider=fall&from=${from}&to=${now()}`,
    `/costs/attempts?provider=fall&from=${from}&to=${now()}`,
    `/costs/attempts?provider=%00&from=${from}&to=${now()}`,
    `/costs/attempts?provider=fal&cursor=x&from=${from}&to=${now()}`,
  ]
  for (const path of faulty) {
    const { status, body } = await get(path)
    expect([path, status, body.error.code]).toEqual([path, 400, 'invalid_request'])
  }
})
