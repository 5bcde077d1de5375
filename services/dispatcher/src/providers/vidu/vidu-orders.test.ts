import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '@filmgate/kit/testing'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { orangeSquare } from '../../testing/orange-square'
import { newTaskId, simulatorKey, startTestSystem, type TestSystem } from '../../testing/test-system'

let system: TestSystem
/** With Vidu's key and no other provider's. */
beforeAll(async () => {
  system = await startTestSystem(simulatorUrl => ({
    ...{ VIDU_API_KEY: simulatorKey, FILMGATE_VIDU_URL: `${simulatorUrl}/vidu`, FILMGATE_SIMULATOR_URL: '' },
  }))
})
afterAll(() => system?.stop())

const order = { model: 'iota-q3-turbo', durationSeconds: 2, resolution: '540p', aspectRatio: '16:9', generateAudio: false }
const words = () => `words ${crypto.randomUUID()}`

type Attempt = { id: string; provider: string; provider_model: string; provider_task_id: string | null; state: string }

async function attemptsOf(taskId: string): Promise<Attempt[]> {
  const answer = await system.operator('GET', `/tasks/${taskId}`)
  return ((await answer.json()) as { attempts: Attempt[] }).attempts
}

const metricOf = async (pattern: RegExp) => Number(pattern.exec(await (await fetch(`${system.dispatcherUrl()}/metrics`)).text())?.[1] ?? 0)

/** An order with these pictures, whose copies are in our store. */
async function orderWith(fields: string[], changes: object) {
  const [taskId, prompt] = [newTaskId(), words()]
  const inputs = fields.map((field, index) => ({ kind: MediaKind.IMAGE, field, index: 0, url: `https://example.com/${index}.png` }))
  await system.behave(prompt, { name: 'instant' })
  const media = await Promise.all(
    inputs.map(async (input, index) => {
      const objectKey = `inputs/${taskId}/1-${index}.png`
      await system.inputs.put(objectKey, orangeSquare, { contentType: 'image/png' })
      return { input, objectKey }
    }),
  )
  await system.verify({ ...order, taskId, prompt, inputs, ...changes }, media)
  return taskId
}

test.concurrent.each([
  ['that says little', {}],
  ['that says all', { durationSeconds: 16, resolution: '1080p', aspectRatio: '3:4', generateAudio: true, seed: 7n }],
])('with Vidu’s key alone an order %s goes over Vidu, and ends as a copied video', async (_, changes) => {
  const prompt = words()
  await system.behave(prompt, { name: 'instant' })
  const taskId = await system.reserve({ ...order, ...changes, prompt })
  const { videoUrl } = await system.event(taskId, 'generationCompleted')
  expect((await fetch(videoUrl)).headers.get('content-type')).toBe('video/mp4')
  const [attempt, ...more] = await attemptsOf(taskId)
  expect(more).toEqual([])
  expect(attempt).toMatchObject({ provider: 'vidu', provider_model: 'text2video/viduq3-turbo', state: 'completed' })
})

test('what Vidu has no mapping for is refused where it is alone: its 0 is a seed of its own choice', async () => {
  for (const changes of [{ seed: 0n }, { seed: -1n }, { seed: 4_294_967_295n }, { watermark: true }]) {
    const taskId = await system.reserve({ ...order, prompt: words(), ...changes })
    await system.event(taskId, 'generationRefused')
    expect((await attemptsOf(taskId)).map(({ provider, state }) => [provider, state])).toEqual([['', 'refused']])
  }
})

test.concurrent.each([
  [['image_url'], { mode: 'image-to-video', aspectRatio: 'adaptive' }, 'img2video/viduq3-turbo'],
  [['image_url', 'end_image_url'], { mode: 'image-to-video', aspectRatio: 'adaptive' }, 'start-end2video/viduq3-turbo'],
  [['reference_image_urls'], { mode: 'text-to-video', durationSeconds: 3 }, 'reference2video/viduq3-turbo'],
])('one with %o goes to the kind of task that takes these', async (fields, changes, providerModel) => {
  const taskId = await orderWith(fields, changes)
  await system.event(taskId, 'generationCompleted')
  expect((await attemptsOf(taskId)).map(({ provider_model, state }) => [provider_model, state])).toEqual([[providerModel, 'completed']])
})

test.concurrent.each(['accept_then_drop', 'accept_then_500', 'bad_json'])(
  'an answer lost by %s heals by what the task carries, and is submitted once',
  async name => {
    const prompt = words()
    await system.behave(prompt, { name }, { name: 'instant' })
    const taskId = await system.reserve({ ...order, prompt })
    await system.event(taskId, 'generationCompleted')
    expect(system.casesOf(taskId).filter(one => one === 'generationRefused' || one === 'generationFailed')).toEqual([])
    const [submit, ...more] = await system.submitsOf(prompt)
    expect(more).toEqual([])
    expect((await attemptsOf(taskId))[0]?.provider_task_id).toBe(submit?.generation_id ?? '')
  },
)

test('a wrong id is put right by what the task carries', async () => {
  const prompt = words()
  await system.behave(prompt, { name: 'wrong_id' }, { name: 'instant' })
  const taskId = await system.reserve({ ...order, prompt })
  await system.event(taskId, 'generationCompleted')
  expect((await system.submitsOf(prompt)).length).toBe(1)
})

test('a callback has a lost answer looked for at once', async () => {
  const prompt = words()
  const lag = { name: 'lookup_lags', delay_ms: 2_000 }
  await system.behave(prompt, { name: 'accept_then_drop' }, lag, { name: 'never_finishes' })
  const taskId = await system.reserve({ ...order, prompt })
  await system.event(taskId, 'generationUncertain')
  const [{ id = '' } = {}] = await attemptsOf(taskId)
  await until('its next look to be an hour away', async () => {
    await system.sql`update job set run_at = now() + interval '1 hour' where id = ${id} and coalesce(lease_until, now()) <= now()`
    return (await system.sql`select 1 from job where id = ${id} and run_at > now() + interval '30 minutes'`).count === 1
  })
  const [submit] = await system.submitsOf(prompt)
  await until('Vidu to list it', async () => {
    const list = `${system.simulator.url}/vidu/ent/v2/tasks?task_ids=${submit?.generation_id}`
    const answer = await fetch(list, { headers: { authorization: `Token ${simulatorKey}` } })
    return ((await answer.json()) as { tasks: unknown[] }).tasks.length === 1
  })
  expect(system.casesOf(taskId)).toEqual(['generationUncertain'])
  await system.callBack(id, { provider: 'vidu' })
  await system.event(taskId, 'generationAccepted')
})

test('one that never arrived is not believed to be absent: it waits for an operator, and is sent to nobody again', async () => {
  const prompt = words()
  await system.behave(prompt, { name: 'drop_before_accept' })
  const taskId = await system.reserve({ ...order, prompt })
  await system.event(taskId, 'generationUncertain')
  const before = await metricOf(lookUps)
  await until('it was looked up three times', async () => (await metricOf(lookUps)) >= before + 3)
  expect(system.casesOf(taskId)).toEqual(['generationUncertain'])
  const accept = await system.operator('POST', `/reviews/${taskId}/accept`, { provider_task_id: '900000000000000000', reason: 'a guess' })
  expect(accept.status).toBe(409)
  expect((await system.operator('POST', `/reviews/${taskId}/refund`, { reason: 'its dashboard has nothing of it' })).ok).toBe(true)
  await system.event(taskId, 'generationRefused')
  expect((await system.submitsOf(prompt)).length).toBe(1)
})
const lookUps = /^provider_call_seconds_count\{(?=[^}]*provider="vidu")(?=[^}]*call="look-up")[^}]*\} (\d+)/m

test('one that vanishes after it was accepted is never refunded for that', async () => {
  const prompt = words()
  await system.behave(prompt, { name: 'vanishes' }, { name: 'never_finishes' })
  const taskId = await system.reserve({ ...order, prompt })
  await system.event(taskId, 'generationAccepted')
  const missing = /^provider_polls(?:_total)?\{(?=[^}]*provider="vidu")[^}]*status="missing"[^}]*\} (\d+)/m
  const before = await metricOf(missing)
  await until('it was seen missing three times', async () => (await metricOf(missing)) >= before + 3)
  expect(system.casesOf(taskId)).toEqual(['generationAccepted'])
})
