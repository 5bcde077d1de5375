import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MiniMaxSDK } from 'mmx-cli/sdk'
import { ownWords } from '../../support/client/request'
import { sampleMedia } from '../../support/client/sample-media'
import { settings } from '../../support/settings'
import { type Behaviour, simulator } from '../../support/simulator'
import type { Report } from '../../support/suite/report'

const version = (): string =>
  JSON.parse(readFileSync(join(dirname(fileURLToPath(import.meta.resolve('mmx-cli/package.json'))), 'package.json'), 'utf8')).version

/** MiniMax's own client, unmodified; `baseUrl` is what it has for other addresses. */
const clientOf = (apiKey: string): MiniMaxSDK => new MiniMaxSDK({ apiKey, baseUrl: `${settings.simulatorUrl}/minimax` })

/** MiniMax's published client drives the simulator's fake in both of its versions, and meets its errors where MiniMax's documents have them. */
export async function proveMiniMaxClient(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'filmgate-mmx-'))
  // Else it reads what its user has at home.
  process.env.MMX_CONFIG_DIR = folder
  report.figure('minimax_client.version', version())
  const minimax = clientOf(settings.simulatorKey)
  await proveH3(report, minimax)
  await proveHailuo(report, minimax)
  await proveErrors(report, minimax)
  const refused = await wordsOf(clientOf('another-key-altogether').video.generate({ ...h3(ownWords()), async: true }))
  report.check('another key is rejected', /API key rejected/.test(refused ?? ''), refused)
  rmSync(folder, { recursive: true })
}

async function wordsThatMeet(...behaviours: Behaviour[]): Promise<string> {
  const words = ownWords()
  await simulator.behave(words, behaviours)
  return words
}

const h3 = (text: string) => ({ model: 'MiniMax-H3' as const, content: [{ type: 'text' as const, text }], pollInterval: 0.2, timeout: 60 })
const hailuo = (prompt: string) => ({ model: 'MiniMax-Hailuo-2.3', prompt, pollInterval: 0.2, timeout: 60 })

const isVideo = async (video: Response): Promise<boolean> =>
  video.status === 200 && Buffer.from(await video.bytes()).toString('latin1', 4, 8) === 'ftyp'

async function proveH3(report: Report, minimax: MiniMaxSDK): Promise<void> {
  const task = await minimax.video.generate(h3(await wordsThatMeet({ name: 'slow', delay_ms: 1_200 }, { name: 'instant' })))
  const url = 'content' in task ? task.content?.url : undefined
  report.check('its H3 task is a video', url !== undefined && (await isVideo(await fetch(url))), JSON.stringify(task))
  const frame = { type: 'image_url' as const, image_url: { url: sampleMedia('lake-640x480.jpg') }, role: 'first_frame' as const }
  const { content, ...rest } = h3(await wordsThatMeet({ name: 'never_finishes' }))
  const { taskId } = await minimax.video.generate({ ...rest, content: [...content, frame], async: true })
  const running = await minimax.video.getTask({ taskId, model: 'MiniMax-H3' })
  report.check('one with a frame is taken, and runs', running.status === 'running', running.status)
}

async function proveHailuo(report: Report, minimax: MiniMaxSDK): Promise<void> {
  const task = await minimax.video.generate(hailuo(await wordsThatMeet({ name: 'instant' })))
  const fileId = 'file_id' in task ? (task.file_id ?? '') : ''
  // Its own download wants https.
  const { download_url: url = '' } = (await minimax.file.retrieve(fileId)).file
  report.check('its Hailuo task is a file, and the file a video', await isVideo(await fetch(url)), url)
  const frames = { first_frame_image: sampleMedia('lake-640x480.jpg'), last_frame_image: sampleMedia('lake-640x480.jpg') }
  const words = { ...hailuo(await wordsThatMeet({ name: 'never_finishes' })), model: 'MiniMax-Hailuo-02' }
  const { taskId } = await minimax.video.generate({ ...words, ...frames, async: true })
  const running = await minimax.video.getTask({ taskId })
  report.check('one with both frames is taken, and is processed', running.status === 'Processing', running.status)
}

async function proveErrors(report: Report, minimax: MiniMaxSDK): Promise<void> {
  for (const [behaviour, ofH3, ofHailuo] of [
    [{ name: 'refuse', code: 'balance_exhausted' }, /^Quota or balance exhausted/, /insufficient balance/],
    [{ name: 'refuse', code: 'too_many_requests' }, /^Rate limit or quota exceeded/, undefined],
    [{ name: 'refuse_content' }, /flagged by sensitivity filter/, /flagged by sensitivity filter/],
    [{ name: 'moderated' }, /sensitive content/, /withheld by content moderation/],
  ] as [Behaviour, RegExp, RegExp | undefined][]) {
    const told = await wordsOf(minimax.video.generate(h3(await wordsThatMeet(behaviour))))
    report.check(`H3: ${behaviour.name} is told as such`, ofH3.test(told ?? ''), told)
    if (!ofHailuo) continue
    const coded = await wordsOf(minimax.video.generate(hailuo(await wordsThatMeet(behaviour))))
    report.check(`Hailuo: ${behaviour.name} is told as such, with 200`, ofHailuo.test(coded ?? ''), coded)
  }
  const odd = await wordsOf(minimax.video.generate({ ...hailuo(ownWords()), model: 'MiniMax-Hailuo-9', async: true }))
  report.check('a model that nobody has is refused', /invalid params/.test(odd ?? ''), odd)
}

/** The words that the client throws; undefined where it throws nothing. */
const wordsOf = (call: Promise<unknown>): Promise<string | undefined> =>
  call.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
