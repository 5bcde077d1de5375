import { existsSync, readFileSync } from 'node:fs'
import type { ImageName } from '@filmgate/tools/images/image-name'
import { processTree } from '@filmgate/tools/stack/process/process-tree'
import { openAccount } from '../support/client/account'
import { type ConsoleTask, consoleOf } from '../support/client/console'
import { ownWords } from '../support/client/request'
import { sampleBytes } from '../support/client/sample-media'
import { probeVideo } from '../support/client/video'
import { inputsOf, upload } from '../support/servers/storage'
import type { Report } from '../support/suite/report'
import { until } from '../support/until'

const taskTimeoutMs = 200_000
const seconds = 4

type Enter = (service: ImageName, command: string[]) => Promise<string>

/** What each service runs as, and that together they make videos: of text, of a picture, of a film with a sound. */
export async function proveImages(report: Report, services: Map<string, number>, enter: Enter): Promise<void> {
  for (const [service, pid] of services) proveContainer(report, service, pid)
  if (services.has('media-probe')) {
    const printed = await enter('media-probe', ['/usr/local/bin/bun', 'dist/check-isolation.js'])
    report.check('a decoder reaches nothing from its cage', /^isolation: landlock$.* 0 reached$/ms.test(printed.trim()), printed)
  }
  const { api, accountId } = await openAccount()
  const web = consoleOf(accountId)
  const put = async (file: string) => upload(accountId, await sampleBytes(file), file.split('.').at(-1) ?? '')

  const made = async (mode: string, generate: () => Promise<{ status: number; text: string; body: { id: string } }>, inputs: number) => {
    const startedAt = performance.now()
    const accepted = await generate()
    report.figure(`${mode}.acceptedSeconds`, (performance.now() - startedAt) / 1_000)
    report.check(`${mode} is accepted`, accepted.status === 202, `${accepted.status} ${accepted.text}`)
    if (accepted.status !== 202) return
    const task = await web.taskOnce(accepted.body.id, taskTimeoutMs)
    report.check(`${mode} is completed`, task.status === 'completed', JSON.stringify(task))
    const copies = await inputsOf(task.id)
    report.check(`${mode}: its inputs are checked and copied`, copies.length === inputs, copies.join(', '))
    if (task.status === 'completed') await proveOutput(report, mode, task)
  }
  const small = { model: 'alpha-h3-fast', duration: seconds, resolution: '480p' }
  await made('text-to-video', () => api.generate({ ...small, prompt: ownWords() }), 0)
  const pictures = { image_url: await put('first-640x480.jpg'), end_image_url: await put('last-640x480.png') }
  await made('image-to-video', () => web.generate({ ...small, mode: 'image-to-video', ...pictures, prompt: ownWords() }), 2)
  const media = {
    ...{ model: 'alpha-h3', mode: 'media-to-video', duration: seconds, resolution: '768p' },
    ...{ reference_video_urls: [await put('walk-3s.mp4')], reference_video_durations: [3] },
    ...{ reference_audio_urls: [await put('voice-2.5s.mp3')], reference_audio_durations: [3] },
  }
  await made('media-to-video', () => web.generate({ ...media, prompt: ownWords() }), 2)
}

/** By what the kernel says of the process that runc started. */
function proveContainer(report: Report, service: string, pid: number): void {
  const inner = processTree(pid).at(1) ?? 0
  const status = readFileSync(`/proc/${inner}/status`, 'utf8')
  const field = (name: string) => new RegExp(`^${name}:(.*)$`, 'm').exec(status)?.[1]?.trim()
  const seen = { uid: field('Uid'), gid: field('Gid'), capabilities: field('CapEff'), groups: field('Groups') }
  const isUser = Bun.deepEquals(seen, {
    uid: Array(4).fill(65532).join('\t'),
    gid: Array(4).fill(65532).join('\t'),
    capabilities: '0'.repeat(16),
    groups: '',
  })
  report.check(`${service} runs as 65532, without capabilities`, isUser, JSON.stringify(seen))
  const files = `/proc/${inner}/root`
  report.check(`${service} sees its image alone`, existsSync(`${files}/app/dist/main.js`) && !existsSync(`${files}${import.meta.path}`))
}

/** The managed copy and the poster of it, fetched as anybody does. */
async function proveOutput(report: Report, mode: string, task: ConsoleTask): Promise<void> {
  const video = await probeVideo(task.output?.video_url ?? '')
  const isAsked = `${Math.min(video.width, video.height)}p` === task.resolution && Math.abs(video.seconds - seconds) <= 0.1
  report.check(`${mode}: the video is there, in its size and length`, isAsked, JSON.stringify(video))
  const poster = await until('the poster', async () => {
    const answer = await fetch(task.poster_url ?? '')
    return answer.ok && answer.bytes()
  }).catch(() => new Uint8Array())
  report.check(`${mode}: the poster is there`, poster[0] === 0xff && poster[1] === 0xd8, `${task.poster_url}: ${poster.length} bytes`)
}
