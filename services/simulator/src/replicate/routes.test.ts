import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { RuleRequest } from '../behaviour/behaviour'
import { testKey } from '../testing/client'
import { startListener } from '../testing/listener'
import { startTestSimulator } from '../testing/simulator'

let simulator: Awaited<ReturnType<typeof startTestSimulator>>
beforeAll(async () => {
  simulator = await startTestSimulator()
})
afterAll(() => simulator.stop())

async function replicate(path: string, body?: unknown, authorization = `Bearer ${testKey}`) {
  const answer = await fetch(`${simulator.origin}/replicate/v1/${path}`, {
    ...{ method: body === undefined ? 'GET' : 'POST', headers: { authorization, 'content-type': 'application/json' } },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: each test looks at what its answer has.
  return { status: answer.status, body: (await answer.json()) as any }
}

const path = 'models/bytedance/seedance-2.0-fast/predictions'
const newInput = (changes: object = {}) => ({ prompt: `prompt ${crypto.randomUUID()}`, duration: 4, resolution: '480p', ...changes })

/** Submits an input that meets these behaviours. */
async function submit(behaviours: RuleRequest['behaviours'], more: object = {}) {
  const input = newInput()
  await simulator.post('/admin/behaviours', { match: { prompt_includes: input.prompt }, behaviours })
  return replicate(path, { input, ...more })
}

async function ended(id: string) {
  for (;;) {
    const { body } = await replicate(`predictions/${id}`)
    if (['succeeded', 'failed'].includes(body.status)) return body
    await Bun.sleep(20)
  }
}

test('a prediction is told as the client’s types have it, and its webhook is told its end', async () => {
  const listener = startListener()
  const webhook = { webhook: listener.url, webhook_events_filter: ['completed'] }
  const { status, body } = await submit([{ name: 'instant' }], webhook)
  expect([status, body]).toMatchObject([201, { status: 'starting', output: null, error: null, source: 'api', data_removed: false }])
  expect(body.id).toMatch(/^[a-z0-9]{26}$/)
  expect(body.urls.get).toBe(`${simulator.origin}/replicate/v1/predictions/${body.id}`)
  const made = await ended(body.id)
  expect(made).toMatchObject({ id: body.id, model: 'bytedance/seedance-2.0-fast', metrics: { predict_time: 4 } })
  expect(await listener.called).toEqual(made)
  expect((await fetch(made.output)).status).toBe(200)
  await listener.stop()
})

test('another scheme of authorization is 401, and what nobody has is 404', async () => {
  expect(await replicate('account', undefined, `Token ${testKey}`)).toMatchObject({ status: 401, body: { title: 'Unauthenticated' } })
  expect((await replicate('account')).body.username).toBe('simulator')
  expect((await replicate('predictions/gm3qorzdhgbfurvjtvhg6dckhu')).status).toBe(404)
  expect((await replicate('models/bytedance/seedance-9/predictions', { input: newInput() })).status).toBe(404)
})

const url = 'https://ours.example/a'
test.each<[string, object]>([
  ...([{ prompt: '' }, { duration: 3 }, { duration: '4' }, { resolution: '1080p' }, { seed: 0.5 }] as object[]).map(
    (input): [string, object] => ['invalid', { input: newInput(input) }],
  ),
  ['input.mood', { input: newInput({ mood: 'calm' }) }],
  ['input.last_frame_image', { input: newInput({ last_frame_image: url }) }],
  ['input.image', { input: newInput({ image: url, reference_images: [url] }) }],
  ['input.reference_images', { input: newInput({ reference_images: Array(10).fill(url) }) }],
  ['input.reference_audios', { input: newInput({ reference_audios: [url] }) }],
  ['input', {}],
  ['version', { version: 'x', input: newInput() }],
  ['webhook_events_filter', { input: newInput(), webhook: url, webhook_events_filter: ['start'] }],
])('a body with a fault is 422 and names it: %s %o', async (field, body) => {
  expect(await replicate(path, body)).toMatchObject({ status: 422, body: { detail: expect.stringContaining(field) } })
})
