import { expect, test } from 'bun:test'
import { openAccount } from '../support/account'
import { expectError } from '../support/errors'
import { ledgerTask } from '../support/operator'
import { ownWords } from '../support/request'
import { sampleMedia } from '../support/sample-media'
import { simulator } from '../support/simulator'
import { probeVideo } from '../support/video'

const testTimeoutMs = 200_000

/** Image-to-video and media-to-video, in a new shape and in the legacy one (no model: beta-2.0-fast). */
const requests = [
  {
    model: 'alpha-h3',
    mode: 'image-to-video',
    image_url: sampleMediaLater('first.jpg'),
    end_image_url: sampleMediaLater('last.png'),
    duration: 4,
  },
  {
    model: 'alpha-h3',
    mode: 'media-to-video',
    reference_image_urls: [sampleMediaLater('face.webp')],
    reference_video_urls: [sampleMediaLater('walk-3s.mp4'), sampleMediaLater('run-2s.mov')],
    reference_video_durations: [3, 2],
    reference_audio_urls: [sampleMediaLater('voice-2.5s.mp3')],
    reference_audio_durations: [3],
    duration: 4,
  },
  { mode: 'image-to-video', image_url: sampleMediaLater('legacy.jpg'), duration: 4, resolution: '480p' },
  {
    model: 'beta-2.0',
    mode: 'media-to-video',
    reference_video_urls: [sampleMediaLater('legacy-3s.mp4')],
    reference_video_durations: [3],
    duration: 4,
    resolution: '480p',
  },
  {
    model: 'delta-motion-control',
    mode: 'media-to-video',
    reference_image_urls: [sampleMediaLater('character.jpg')],
    reference_video_urls: [sampleMediaLater('motion-4s.mp4')],
    reference_video_durations: [4],
  },
]

/** The host is asked for when a test runs: loading this file needs no stack. */
function sampleMediaLater(file: string) {
  return { file }
}

/** Replaces every file by its address. */
const addressed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(addressed)
  if (typeof value !== 'object' || value === null) return value
  return 'file' in value && typeof value.file === 'string'
    ? sampleMedia(value.file)
    : Object.fromEntries(Object.entries(value).map(([key, one]) => [key, addressed(one)]))
}

for (const request of requests)
  test(
    `${request.mode} of ${request.model ?? 'the legacy default'}: the media are measured, copied and made into a video`,
    async () => {
      const { api } = await openAccount()
      const prompt = ownWords()
      const accepted = await api.generate({ ...(addressed(request) as object), prompt })
      expect({ status: accepted.status, error: accepted.body.error }).toEqual({ status: 202, error: null })
      const task = await api.taskOnce(accepted.body.id, undefined, testTimeoutMs)
      expect(task).toMatchObject({ status: 'completed', billing_status: 'settled', mode: request.mode, credits_refunded: 0 })
      expect((await probeVideo(task.output?.video_url ?? '')).seconds).toBeCloseTo(4, 0)
      expect(await simulator.submits(prompt)).toHaveLength(1)
    },
    testTimeoutMs,
  )

const bad: [name: string, body: object, code: string, details: object][] = [
  [
    'a private address',
    { image_url: 'https://169.254.169.254/latest/meta-data' },
    'media_forbidden_address',
    { url_index: 0, field: 'image_url' },
  ],
  [
    'a file that is not there',
    { image_url: { file: 'missing.gif' } },
    'media_unreachable',
    { url_index: 0, field: 'image_url', measured: 'status 404' },
  ],
  [
    'a clip for a picture',
    { image_url: { file: 'walk-3s.mp4' } },
    'media_type_unsupported',
    { url_index: 0, field: 'image_url', measured: 'mp4' },
  ],
  [
    'a picture too small',
    { image_url: { file: 'small-200x300.jpg' } },
    'media_dimensions',
    { url_index: 0, field: 'image_url', measured: '200 × 300 px' },
  ],
]

for (const [name, body, code, details] of bad)
  test(`${name} is 400 ${code}, says which and what, and costs nothing`, async () => {
    const { api } = await openAccount({ credits: 1_000 })
    const key = crypto.randomUUID()
    const request = { model: 'alpha-h3', mode: 'image-to-video', prompt: ownWords(), ...(addressed(body) as object) }
    const answer = await api.generate(request, { idempotencyKey: key })
    expect(expectError(answer, 400, code)).toMatchObject(details)
    const replay = await api.generate(request, { idempotencyKey: key })
    expect(replay).toMatchObject({ status: 200, body: { status: 'failed', error: { code } } })
    const task = await api.taskOnce(replay.body.id, ({ billing_status }) => billing_status === 'refunded')
    expect(task.credits_refunded).toBe(task.credits_used)
    expect(await api.credits()).toBe(1_000)
    expect((await ledgerTask(task.id)).entries.reduce((sum, { credits }) => sum + credits, 0)).toBe(0)
  })

test('a duration declared wrongly is 400 and says what was measured', async () => {
  const { api } = await openAccount()
  const body = {
    model: 'alpha-h3',
    mode: 'media-to-video',
    prompt: ownWords(),
    reference_video_urls: [sampleMedia('five-5s.mp4'), sampleMedia('three-3s.mp4')],
    reference_video_durations: [5, 4],
  }
  const details = expectError(await api.generate(body), 400, 'media_duration_mismatch')
  expect(details).toMatchObject({ field: 'reference_video_urls', url_index: 1, measured: '3 s', limit: '4 s declared, 3 s expected' })
})
