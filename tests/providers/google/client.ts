import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ApiError, type GenerateVideosConfig, GoogleGenAI, type Interactions } from '@google/genai'
import { ownWords } from '../../support/client/request'
import { sampleMedia } from '../../support/client/sample-media'
import { settings } from '../../support/settings'
import { type Behaviour, simulator } from '../../support/simulator'
import type { Report } from '../../support/suite/report'

const veo = 'veo-3.1-fast-generate-preview'
const omni = 'gemini-omni-1.1-flash'
const version: string = JSON.parse(
  readFileSync(join(dirname(fileURLToPath(import.meta.resolve('@google/genai'))), '../../package.json'), 'utf8'),
).version

/** Google's own client, unmodified; its base is where the simulator's fake is. */
const clientOf = (apiKey: string): GoogleGenAI => new GoogleGenAI({ apiKey, httpOptions: { baseUrl: `${settings.simulatorUrl}/google` } })

/** Google's published client drives the simulator's fake in both formats from submit to file, and meets its errors where Google's documents have them. */
export async function proveGoogleClient(report: Report): Promise<void> {
  report.figure('google_client.version', version)
  const google = clientOf(settings.simulatorKey)
  await proveOperation(report, google)
  await proveInteraction(report, google)
  await proveErrors(report, google)
}

async function promptThatMeets(...behaviours: Behaviour[]): Promise<string> {
  const prompt = ownWords()
  await simulator.behave(prompt, behaviours)
  return prompt
}

async function pictureBytes(): Promise<string> {
  const answer = await fetch(sampleMedia('lake-640x480.jpg'), { tls: { rejectUnauthorized: false } })
  return Buffer.from(await answer.bytes()).toString('base64')
}

async function operationOf(google: GoogleGenAI, prompt: string, config: GenerateVideosConfig = {}, imageBytes?: string) {
  const image = imageBytes === undefined ? {} : { image: { imageBytes, mimeType: 'image/jpeg' } }
  let operation = await google.models.generateVideos({ model: veo, source: { prompt, ...image }, config: { numberOfVideos: 1, ...config } })
  while (!operation.done) {
    await Bun.sleep(200)
    operation = await google.operations.getVideosOperation({ operation })
  }
  return operation
}

/** Whether a file that the client fetches by its name is a video. */
async function isVideo(google: GoogleGenAI, name: string): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'filmgate-google-'))
  const downloadPath = join(folder, 'video.mp4')
  await google.files.download({ file: name, downloadPath })
  const head = readFileSync(downloadPath).toString('latin1', 4, 8)
  rmSync(folder, { recursive: true })
  return head === 'ftyp'
}

const fileIn = (uri: string | undefined): string => /files\/[a-z0-9]+/.exec(uri ?? '')?.[0] ?? ''

async function proveOperation(report: Report, google: GoogleGenAI): Promise<void> {
  const prompt = await promptThatMeets({ name: 'slow', delay_ms: 600 }, { name: 'instant' })
  const config = { durationSeconds: 8, resolution: '1080p', aspectRatio: '9:16' }
  const { name, response } = await operationOf(google, prompt, config, await pictureBytes())
  const uri = response?.generatedVideos?.[0]?.video?.uri
  report.check('Google’s client sees an operation through to its video', fileIn(uri) !== '', `${name} ${uri}`)
  report.check('and fetches it with its key', await isVideo(google, fileIn(uri)))
  const bare = await fetch(uri ?? '')
  report.check('without a key it is not handed out', bare.status === 403, String(bare.status))
  const withheld = await operationOf(google, await promptThatMeets({ name: 'moderated' }))
  report.check('a video that was withheld is counted', withheld.response?.raiMediaFilteredCount === 1, JSON.stringify(withheld.response))
  const broken = await operationOf(google, await promptThatMeets({ name: 'fails_after_accept' }))
  report.check('a failed operation has its error', broken.error?.code === 13, JSON.stringify(broken.error))
}

type Request = Interactions.InteractionCreateParams.CreateModelInteractionParamsNonStreaming

const request = (input: Request['input'], more: Partial<Request> = {}): Request => ({
  ...{ model: omni, input, background: true, labels: { attempt: 'at_1' } },
  response_format: { type: 'video', delivery: 'uri', resolution: '720p', aspect_ratio: '16:9', duration: '10s' },
  ...more,
})

async function interactionOf(google: GoogleGenAI, asked: Request) {
  const created = await google.interactions.create(asked)
  let known = await google.interactions.get(created.id)
  while (known.status === 'in_progress') {
    await Bun.sleep(200)
    known = await google.interactions.get(created.id)
  }
  return { created, known }
}

async function proveInteraction(report: Report, google: GoogleGenAI): Promise<void> {
  const prompt = await promptThatMeets({ name: 'slow', delay_ms: 600 }, { name: 'instant' })
  const picture = { type: 'image' as const, data: await pictureBytes(), mime_type: 'image/jpeg' as const }
  const asked = request([picture, { type: 'text', text: prompt }], { generation_config: { video_config: { task: 'image_to_video' } } })
  const { created, known } = await interactionOf(google, asked)
  const isRepeated = created.labels?.attempt === 'at_1' && known.labels?.attempt === 'at_1'
  report.check('an interaction in the background repeats its label', isRepeated, JSON.stringify([created.status, known.labels]))
  const name = fileIn(known.output_video?.uri)
  report.check(
    'the client finds its video among the steps',
    known.status === 'completed' && name !== '',
    JSON.stringify(known.output_video),
  )
  const states = [await google.files.get({ name }), await google.files.get({ name })].map(file => file.state)
  report.check('whose file is worked on, and then there', String(states) === 'PROCESSING,ACTIVE', String(states))
  report.check('and is fetched with the key', await isVideo(google, name))
  const refused = await interactionOf(google, request(await promptThatMeets({ name: 'moderated' })))
  const words = refused.known
  const isWords = words.status === 'completed' && words.output_video === undefined && (words.output_text ?? '') !== ''
  report.check('a refusal is words in a video’s place', isWords, JSON.stringify(words))
  const failed = await interactionOf(google, request(await promptThatMeets({ name: 'fails_after_accept' })))
  report.check('a failed interaction says so', failed.known.status === 'failed', failed.known.status)
}

async function proveErrors(report: Report, google: GoogleGenAI): Promise<void> {
  const outcome = (work: Promise<unknown>) =>
    work.then(
      () => 'taken',
      (error: unknown) => error,
    )
  const statusOf = (error: unknown) => (error as { status?: number }).status
  const seed = await outcome(operationOf(google, ownWords(), { seed: 7 }))
  report.check('the client itself has no place for a seed', seed instanceof Error && !(seed instanceof ApiError), String(seed))
  const size = await outcome(operationOf(google, ownWords(), { resolution: '480p' }))
  report.check('a size that Veo doesn’t have is 400', size instanceof ApiError && size.status === 400, String(size))
  const poor = await outcome(operationOf(google, await promptThatMeets({ name: 'refuse', code: 'balance_exhausted' })))
  report.check('an account without billing is 400', poor instanceof ApiError && poor.status === 400, String(poor))
  const stranger = clientOf('another-key-altogether')
  const other = await outcome(operationOf(stranger, ownWords()))
  report.check('another key is 400, and says which', other instanceof ApiError && other.message.includes('API_KEY_INVALID'), String(other))
  const label = await outcome(interactionOf(google, request(ownWords(), { labels: { attempt: 'AT_1' } })))
  report.check('a label in capitals is refused', statusOf(label) === 400, String(label))
  const unknown = await outcome(google.interactions.get('v1_0'))
  report.check('an interaction that nobody has is 404', statusOf(unknown) === 404, String(unknown))
}
