import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownWords } from '../../support/client/request'
import { sampleMedia } from '../../support/client/sample-media'
import { settings } from '../../support/settings'
import { type Behaviour, simulator } from '../../support/simulator'
import type { Report } from '../../support/suite/report'
import { fetchPythonClient, runPython } from '../python-client'

const client = { name: 'pixverse-mcp', version: '0.2.2', pinnedIn: 'tests/providers/pixverse/client.ts' }

type Call = { call: string; arguments: object; key?: string }
type ClientResult = { result?: Record<string, unknown> & { Resp?: Record<string, unknown> }; error?: { kind: string; code: number | null } }

/** How often it sends what has failed in whatever way (client/base.py, `stop_after_attempt`). */
const sendsMax = 3

/** PixVerse's published client, that of its MCP server, drives the simulator's fake: upload, submit, status, and each error as its own kind. */
export async function provePixverseClient(report: Report): Promise<void> {
  report.figure('pixverse_client.version', client.version)
  const fake = frontOfFake()
  const folder = await fetchPythonClient(client)
  const env = { PYTHONPATH: folder, PIXVERSE_API_KEY: settings.simulatorKey, PIXVERSE_FAKE: `http://127.0.0.1:${fake.port}` }
  const run = (...calls: Call[]) => runPython<Call, ClientResult>(join(import.meta.dir, 'drive.py'), calls, env)
  try {
    await proveVideos(report, run)
    await proveErrors(report, run)
  } finally {
    await fake.stop(true)
  }
}

type Run = (...calls: Call[]) => Promise<ClientResult[]>

/** The client puts its paths at the root of an address, whatever path that has. */
const frontOfFake = () =>
  Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      const body = request.method === 'GET' ? undefined : await request.bytes()
      return fetch(`${settings.simulatorUrl}/pixverse${pathname}`, { method: request.method, headers: request.headers, body })
    },
  })

async function submit(kind: string, behaviours: Behaviour[], changes: object = {}, key?: string) {
  const prompt = ownWords()
  await simulator.behave(prompt, behaviours)
  const data = { model: 'v6', prompt, duration: 5, quality: '540p', ...(kind === 'text' && { aspect_ratio: '16:9' }), ...changes }
  return { prompt, call: { call: 'post', arguments: { endpoint: `/openapi/v2/video/${kind}/generate`, data }, ...(key && { key }) } }
}

async function proveVideos(report: Report, run: Run): Promise<void> {
  const image = await proveUpload(report, run)
  const instant: Behaviour[] = [{ name: 'instant' }]
  const submits = [
    await submit('text', instant),
    await submit('img', instant, { img_id: image }),
    await submit('transition', instant, { first_frame_img: image, last_frame_img: image }),
  ]
  const accepted = await run(...submits.map(({ call }) => call))
  const ids = accepted.map(({ result }) => result?.Resp?.video_id)
  const videos = await run(...ids.map(id => ({ call: 'get_video_result', arguments: { video_id: id } })))
  for (const [index, { prompt, call }] of submits.entries()) {
    const { status, url } = videos[index]?.result ?? {}
    const words = JSON.stringify([accepted[index], videos[index]])
    report.check(
      `PixVerse’s client: ${call.arguments.endpoint} ends as a video`,
      status === 'completed' && String(url).endsWith('.mp4'),
      words,
    )
    report.check(`PixVerse’s client: ${call.arguments.endpoint} is submitted once`, (await simulator.submitsWith(prompt)).length === 1)
  }
}

async function proveUpload(report: Report, run: Run): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'filmgate-pixverse-client-'))
  const file = join(folder, 'lake.jpg')
  await Bun.write(file, await fetch(sampleMedia('lake-640x480.jpg'), { tls: { rejectUnauthorized: false } }))
  const [uploaded] = await run({ call: 'upload_image', arguments: { file_path: file } })
  rmSync(folder, { recursive: true })
  const image = uploaded?.result?.img_id
  report.check('PixVerse’s client is given a number for an image', Number.isSafeInteger(image), JSON.stringify(uploaded))
  return image
}

async function proveErrors(report: Report, run: Run): Promise<void> {
  const forever: Behaviour[] = [{ name: 'never_finishes' }]
  const refused = (code: string): Behaviour[] => [{ name: 'refuse', code }]
  const lost = await submit('text', [{ name: 'accept_then_500' }, ...forever])
  const cases: [string, { call: Call }, string, number | null][] = [
    ['a length that V6 doesn’t have', await submit('text', forever, { duration: 99 }), 'PixverseAPIError', 400013],
    ['another key', await submit('text', forever, {}, 'another-key-altogether'), 'PixverseAuthError', null],
    ['an empty account', await submit('text', refused('balance_exhausted')), 'PixverseAPIError', 500090],
    ['too many at once', await submit('text', refused('too_many_requests')), 'PixverseAPIError', 500044],
    ['a text that is refused', await submit('text', [{ name: 'refuse_content' }]), 'PixverseAPIError', 500063],
    ['a video that nobody has', { call: { call: 'get_video_result', arguments: { video_id: 1 } } }, 'PixverseAPIError', 500008],
    ['an answer that was lost', lost, 'PixverseAPIError', null],
  ]
  const told = await run(...cases.map(([, { call }]) => call))
  for (const [index, [name, , kind, code]] of cases.entries()) {
    const { error } = told[index] ?? {}
    report.check(
      `PixVerse’s client: ${name} is a ${kind} ${code ?? ''}`.trim(),
      error?.kind === kind && error.code === code,
      JSON.stringify(told[index]),
    )
  }
  // Which is why the dispatcher has a connector of its own: this one makes a new trace id each time, and buys again.
  const sent = (await simulator.submitsWith(lost.prompt)).length
  report.check('PixVerse’s client sends again what was lost, each time as another video', sent === sendsMax, String(sent))
}
