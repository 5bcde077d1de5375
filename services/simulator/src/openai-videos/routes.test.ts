import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { RuleRequest } from '../behaviour/behaviour'
import { testKey } from '../testing/client'
import { startTestSimulator } from '../testing/simulator'

let simulator: Awaited<ReturnType<typeof startTestSimulator>>
beforeAll(async () => {
  simulator = await startTestSimulator()
})
afterAll(() => simulator.stop())

const call = (path: string, body?: object, authorization = `Bearer ${testKey}`) =>
  fetch(`${simulator.origin}/openai-videos/v1/${path}`, {
    redirect: 'manual',
    headers: { authorization, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
// biome-ignore lint/suspicious/noExplicitAny: each test looks at what its answer has.
const told = async (answer: Promise<Response>) => (await answer).json() as Promise<any>

const newBody = (changes: object = {}) => ({
  ...{ model: 'veo-3.1-fast-generate-preview', prompt: `prompt ${crypto.randomUUID()}`, seconds: '4', size: '720x1280' },
  ...changes,
})

async function submit(behaviours: RuleRequest['behaviours']) {
  const body = newBody()
  await simulator.post('/admin/behaviours', { match: { prompt_includes: body.prompt }, behaviours })
  return told(call('videos', body))
}

async function reach(id: string, status: string) {
  for (;;) {
    const seen = await told(call(`videos/${id}`))
    if (seen.status === status) return seen
    await Bun.sleep(20)
  }
}

test('a video is told as the client’s types have it, and its content is for whoever has the key', async () => {
  const video = await submit([{ name: 'slow', delay_ms: 300_000 }, { name: 'instant' }])
  expect(video).toMatchObject({ object: 'video', status: 'queued', progress: 0, error: null, seconds: '4', size: '720x1280' })
  const path = `videos/${video.id}/content`
  expect([(await reach(video.id, 'in_progress')).progress, (await call(path)).status]).toEqual([40, 404])
  await simulator.post(`/admin/generations/${video.id}/release`, {})
  expect(await reach(video.id, 'completed')).toMatchObject({ progress: 100, completed_at: expect.any(Number) })
  const content = await call(path)
  expect([content.status, content.headers.get('content-type')]).toEqual([200, 'video/mp4'])
  expect((await call(path, undefined, 'Bearer another-key-altogether')).status).toBe(401)
})

test('an output that is elsewhere is led on to', async () => {
  const { id } = await submit([{ name: 'instant' }, { name: 'output_elsewhere', origin: 'https://no-such-host.invalid' }])
  await reach(id, 'completed')
  const { status, headers } = await call(`videos/${id}/content`)
  expect([status, headers.get('location')]).toEqual([302, `https://no-such-host.invalid/outputs/${id}.mp4`])
})

test.each<[string, number, object]>([
  ['invalid_value', 400, { prompt: '' }],
  ['invalid_value', 400, { seconds: 4 }],
  ['invalid_value', 400, { seconds: '7' }],
  ['invalid_value', 400, { size: '4:3' }],
  ['invalid_value', 400, { input_reference: 'https://ours.example/a' }],
  ['invalid_value', 400, { mood: 'calm' }],
  ['model_not_found', 404, { model: 'sora-9' }],
])('a body with a fault is %s: %d %o', async (code, status, changes) => {
  const answer = await call('videos', newBody(changes))
  expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([status, code])
})
