import { expect, test } from 'bun:test'
import { openAccount } from '../support/client/account'
import { ownWords } from '../support/client/request'
import { sampleMedia } from '../support/client/sample-media'
import { probeVideo } from '../support/client/video'
import { simulator } from '../support/simulator'

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
