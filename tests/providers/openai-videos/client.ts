import OpenAI, { APIError } from 'openai'
import { VERSION } from 'openai/version'
import { ownWords } from '../../support/client/request'
import { settings } from '../../support/settings'
import { type Behaviour, simulator } from '../../support/simulator'
import type { Report } from '../../support/suite/report'
import { until } from '../../support/until'

const model = 'veo-3.1-fast-generate-preview'
const clientOf = (apiKey: string): OpenAI => new OpenAI({ apiKey, baseURL: `${settings.simulatorUrl}/openai-videos/v1`, maxRetries: 0 })

/** OpenAI's published client, unmodified, drives the simulator's fake of a gateway from a submit to a video's bytes, and meets its errors. */
export async function proveOpenAiVideosClient(report: Report): Promise<void> {
  report.figure('openai_videos_client.version', VERSION)
  const client = clientOf(settings.simulatorKey)
  await proveVideos(report, client)
  await proveErrors(report, client)
}

/** A request whose submit meets this behaviour. */
async function requestThatMeets(behaviour: Behaviour, more: object = {}): Promise<OpenAI.VideoCreateParams> {
  const prompt = ownWords()
  await simulator.behave(prompt, behaviour.name === 'slow' ? [behaviour, { name: 'instant' }] : [behaviour])
  return { model, prompt, seconds: '4', size: '1280x720', ...more }
}

const ended = (client: OpenAI, { id }: OpenAI.Video): Promise<OpenAI.Video> =>
  until('its end', async () => {
    const video = await client.videos.retrieve(id)
    return video.status === 'completed' || video.status === 'failed' ? video : undefined
  })

async function proveVideos(report: Report, client: OpenAI): Promise<void> {
  const video = await ended(client, await client.videos.create(await requestThatMeets({ name: 'slow', delay_ms: 1_200 })))
  const content = await client.videos.downloadContent(video.id)
  const head = Buffer.from(await content.arrayBuffer()).toString('latin1', 4, 8)
  const isWhole = video.progress === 100 && video.seconds === '4' && video.size === '1280x720'
  report.check('OpenAI’s client waits for a video and gets its bytes', isWhole && head === 'ftyp', `${JSON.stringify(video)} ${head}`)
  const picture = { input_reference: { image_url: 'https://ours.example/a.png' } }
  const framed = await client.videos.create(await requestThatMeets({ name: 'never_finishes' }, picture))
  report.check('a picture’s address is taken as the client sends it', framed.status === 'queued', JSON.stringify(framed))
}

async function proveErrors(report: Report, client: OpenAI): Promise<void> {
  const wordsOf = (call: PromiseLike<unknown>): Promise<string> =>
    Promise.resolve(call).then(String, error => (error instanceof APIError ? `${error.status} ${error.code}` : String(error)))
  const submitted = async (behaviour: Behaviour, more: object = {}, by = client): Promise<string> =>
    wordsOf(by.videos.create(await requestThatMeets(behaviour, more)))
  const failed = async (name: string): Promise<string | undefined> =>
    (await ended(client, await client.videos.create(await requestThatMeets({ name })))).error?.code
  for (const [what, words, expected] of [
    ['another key', await submitted({ name: 'instant' }, {}, clientOf('another-key-altogether')), '401 invalid_api_key'],
    ['an unknown field', await submitted({ name: 'instant' }, { mood: 'calm' }), '400 invalid_value'],
    ['a model that is not there', await submitted({ name: 'instant' }, { model: 'sora-9' }), '404 model_not_found'],
    ['an account without credit', await submitted({ name: 'refuse', code: 'balance_exhausted' }), '429 insufficient_quota'],
    ['a refused prompt', await submitted({ name: 'refuse_content' }), '400 moderation_blocked'],
    ['a fault of its own', await submitted({ name: '500_before_accept' }), '500 null'],
    ['an id of nobody’s', await wordsOf(client.videos.retrieve(`video_${'0'.repeat(32)}`)), '404 not_found'],
    ['a withheld video', await failed('moderated'), 'moderation_blocked'],
    ['a failed video', await failed('fails_after_accept'), 'server_error'],
  ] as const)
    report.check(`OpenAI’s client meets ${what}`, words === expected, String(words))
}
