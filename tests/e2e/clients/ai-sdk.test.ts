import { expect, test } from 'bun:test'
import { createFilmgate } from '@filmgate/ai-sdk-provider'
import { APICallError, experimental_generateVideo as generateVideo } from 'ai'
import { openAccount } from '../../support/client/account'
import { ownWords } from '../../support/client/request'
import { sampleBytes } from '../../support/client/sample-media'
import { settings } from '../../support/settings'
import { simulator } from '../../support/simulator'

globalThis.AI_SDK_LOG_WARNINGS = false

const small = { duration: 1, resolution: '854x480' as const, maxRetries: 0 }

async function newProvider() {
  const { apiKey, api } = await openAccount()
  return { filmgate: createFilmgate({ apiKey, baseUrl: settings.url }), api }
}

test('generateVideo makes a video by the server’s events and by polls; what the model lacks is a warning', async () => {
  const { filmgate, api } = await newProvider()
  for (const how of [{}, { poll: { intervalMs: 100 } }]) {
    const made = await generateVideo({ ...small, ...how, model: filmgate('alpha-h3-fast'), prompt: ownWords(), fps: 24, seed: 7 })
    expect(made.video.mediaType).toBe('video/mp4')
    expect(made.video.uint8Array.length).toBeGreaterThan(10_000)
    expect(made.warnings.map(warning => 'feature' in warning && warning.feature)).toEqual(['fps', 'seed'])
    const { videos } = made.providerMetadata.filmgate as { videos: { taskId: string; creditsUsed: number; billingStatus: string }[] }
    const { id, credits_used } = await api.taskOnce(videos[0]?.taskId ?? '')
    expect(videos).toEqual([expect.objectContaining({ taskId: id, creditsUsed: credits_used, billingStatus: 'settled' })])
  }
})

test('a picture’s bytes are uploaded and start the video', async () => {
  const { filmgate } = await newProvider()
  const prompt = ownWords()
  const image = await sampleBytes('lake-640x480.jpg')
  const model = filmgate('beta-1.0-lite')
  const { video, warnings } = await generateVideo({
    model,
    prompt: { text: prompt, image },
    duration: 4,
    resolution: '854x480',
    maxRetries: 0,
  })
  expect([video.mediaType, warnings]).toEqual(['video/mp4', []])
  const [submit] = await simulator.submits(prompt)
  expect(JSON.stringify(submit?.request)).toContain('http')
})

test('a refusal is an APICallError that is not retried, and charges nothing', async () => {
  const { filmgate, api } = await newProvider()
  const before = await api.credits()
  const refused = await generateVideo({ ...small, model: filmgate('alpha-h3-fast'), prompt: ownWords(), duration: 99 }).catch(
    error => error,
  )
  expect(APICallError.isInstance(refused)).toBe(true)
  expect([refused.statusCode, refused.isRetryable, refused.data.error.code]).toEqual([400, false, 'invalid_request'])
  expect(await api.credits()).toBe(before)
})
