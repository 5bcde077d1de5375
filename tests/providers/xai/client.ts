import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createXai } from '@ai-sdk/xai'
import { ownWords } from '../../support/client/request'
import { settings } from '../../support/settings'
import { type Behaviour, simulator } from '../../support/simulator'
import type { Report } from '../../support/suite/report'

const model = 'grok-imagine-video-1.5'
const folder = join(dirname(fileURLToPath(import.meta.resolve('@ai-sdk/xai'))), '..')

type Video = ReturnType<ReturnType<typeof createXai>['video']>
type Asked = Parameters<Video['doGenerate']>[0]
type Refusal = { name: string; message: string; statusCode?: number }

const clientOf = (apiKey: string): Video => createXai({ apiKey, baseURL: `${settings.simulatorUrl}/xai/v1` }).video(model)

/**
 * Vercel's published client of xAI's REST API, unmodified, drives the simulator's fake from submit to result, and meets its errors. It is not
 * xAI's own: that speaks gRPC in Python, and the one for TypeScript is not on npm.
 */
export async function proveXaiClient(report: Report): Promise<void> {
  report.figure('xai_client.version', JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version)
  const xai = clientOf(settings.simulatorKey)
  await proveVideo(report, xai)
  await proveErrors(report, xai)
  const stranger = await refusalOf(clientOf('another-key-altogether').doGenerate(await requestThatMeets({ name: 'instant' })))
  report.check('another key is 400, with the words for it', isOf(stranger, 400, 'Incorrect API key'), words(stranger))
}

/** A request in the client's own words, asked about ten times a second; what is `more` goes into the body as it is. */
async function requestThatMeets(behaviour: Behaviour, more: object = {}, changes: Partial<Asked> = {}): Promise<Asked> {
  const prompt = ownWords()
  await simulator.behave(prompt, behaviour.name === 'slow' ? [behaviour, { name: 'instant' }] : [behaviour])
  return {
    ...{ prompt, n: 1, image: undefined, duration: 2, aspectRatio: '16:9', resolution: '854x480', fps: undefined, seed: undefined },
    providerOptions: { xai: { pollIntervalMs: 100, ...more } },
    ...changes,
  } as Asked
}

async function proveVideo(report: Report, xai: Video): Promise<void> {
  const asked = await requestThatMeets({ name: 'slow', delay_ms: 1_200 }, { user: 'somebody' })
  const { videos, warnings, providerMetadata } = await xai.doGenerate(asked)
  const [made] = videos
  const url = made?.type === 'url' ? made.url : ''
  const video = await fetch(url)
  const head = Buffer.from(await video.bytes()).toString('latin1', 4, 8)
  report.check(
    'xAI’s fake: the client waits through 202 and gets a video',
    video.status === 200 && head === 'ftyp',
    `${video.status} ${head}`,
  )
  report.check('and has nothing to warn of', warnings.length === 0, JSON.stringify(warnings))
  const told = providerMetadata?.xai
  report.check(
    'and what it cost, how long it is and how far it got',
    told?.costInUsdTicks === 1_600_000_000 && told.duration === 2 && told.progress === 100,
    JSON.stringify(told),
  )
  const picture = { type: 'url', url: 'https://ours.example/a.jpg' } as const
  const unread = await refusalOf(xai.doGenerate(await requestThatMeets({ name: 'fails_after_accept' }, {}, { image: picture })))
  report.check('a first frame is taken as the client sends it', unread?.name === 'XAI_VIDEO_GENERATION_FAILED', words(unread))
  const referenceImageUrls = [picture.url, picture.url]
  const references = { mode: 'reference-to-video', referenceImageUrls }
  const failed = await refusalOf(xai.doGenerate(await requestThatMeets({ name: 'fails_after_accept' }, references)))
  report.check('references are taken as the client sends them', failed?.name === 'XAI_VIDEO_GENERATION_FAILED', words(failed))
}

async function proveErrors(report: Report, xai: Video): Promise<void> {
  const refusedWith = async (behaviour: Behaviour, more: object = {}, changes: Partial<Asked> = {}) =>
    refusalOf(xai.doGenerate(await requestThatMeets(behaviour, more, changes)))
  const slip = await refusedWith({ name: 'instant' }, { mood: 'calm' })
  report.check('an unknown field is 422 and named', isOf(slip, 422, '/mood'), words(slip))
  const long = await refusedWith({ name: 'instant' }, {}, { duration: 16 })
  report.check('a length that no model has is 400', isOf(long, 400, 'between 1 and 15 seconds'), words(long))
  const withheld = await refusedWith({ name: 'moderated' })
  report.check('a withheld video is told by its flag', withheld?.name === 'XAI_VIDEO_MODERATION_ERROR', words(withheld))
  const poor = await refusedWith({ name: 'refuse', code: 'balance_exhausted' })
  report.check('an account without credits is 403, in the flat form', isOf(poor, 403, 'used all available credits'), words(poor))
  const hurried = await refusedWith({ name: 'refuse', code: 'too_many_requests' })
  report.check('too many requests are 429, in the nested form', isOf(hurried, 429, 'Too many requests'), words(hurried))
  const broken = await refusedWith({ name: '500_before_accept' })
  report.check('a fault of its own is 500', isOf(broken, 500, ''), words(broken))
}

const isOf = (refusal: Refusal | undefined, statusCode: number, piece: string): boolean =>
  refusal?.statusCode === statusCode && refusal.message.includes(piece)

const words = (refusal: Refusal | undefined): string => `${refusal?.name} ${refusal?.statusCode} ${refusal?.message}`

/** What the client rejects with; undefined where it was not refused. */
const refusalOf = (call: PromiseLike<unknown>): Promise<Refusal | undefined> =>
  Promise.resolve(call).then(
    () => undefined,
    (error: unknown) => error as Refusal,
  )
