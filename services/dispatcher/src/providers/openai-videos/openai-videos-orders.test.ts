import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectOperatorHeals } from '../../testing/lost-answer'
import { simulatorKey, startTestSystem, type TestSystem } from '../../testing/test-system'

const folder = mkdtempSync(join(tmpdir(), 'filmgate-gateway-routes-'))
/** The example of services/dispatcher/README.md. */
const readme = readFileSync(join(import.meta.dir, '../../../README.md'), 'utf8')
const [, example = ''] = /```yaml\n([^`]*provider: openai-videos[^`]*)```/.exec(readme) ?? []

let system: TestSystem
/** With a gateway's address and key, no other provider, and routes of the operator's own for one model. */
beforeAll(async () => {
  writeFileSync(join(folder, 'beta-2.0-fast.yaml'), example)
  system = await startTestSystem(simulatorUrl => ({
    ...{ OPENAI_VIDEOS_API_KEY: simulatorKey, FILMGATE_OPENAI_VIDEOS_URL: `${simulatorUrl}/openai-videos/v1` },
    ...{ FILMGATE_SIMULATOR_URL: '', FILMGATE_ROUTES_DIR: folder },
  }))
})
afterAll(async () => {
  await system?.stop()
  rmSync(folder, { recursive: true })
})

const order = { model: 'gamma-3.1-fast', durationSeconds: 8, resolution: '720p', aspectRatio: '16:9' }
const own = { model: 'beta-2.0-fast', durationSeconds: 5, resolution: '720p', aspectRatio: '9:16', generateAudio: true }

test.each([
  ['veo-3.1-fast-generate-preview', order],
  ['seedance-2-0-fast', own],
])('an order goes to %s at the gateway, and its video is fetched from there with the key', async (model, wanted) => {
  const prompt = `prompt ${crypto.randomUUID()}`
  await system.behave(prompt, { name: 'instant' })
  const taskId = await system.reserve({ ...wanted, prompt })
  const { videoUrl } = await system.event(taskId, 'generationCompleted')
  expect((await fetch(videoUrl)).headers.get('content-type')).toBe('video/mp4')
  const { attempts } = (await (await system.operator('GET', `/tasks/${taskId}`)).json()) as { attempts: object[] }
  expect(attempts).toMatchObject([{ provider: 'openai-videos', provider_model: model, state: 'completed' }])
})

test.each(['accept_then_drop', 'accept_then_500', 'bad_json'])(
  'an answer lost by %s is sent to nobody again, waits for an operator, and goes on under the id that he names',
  lostBy => expectOperatorHeals(system, { order, lostBy, wrongId: `video_${'0'.repeat(32)}`, reason: 'its log names it' }),
)
