import { setDefaultTimeout } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '@filmgate/kit/log'
import { startServer } from '@filmgate/kit/server'
import type { RuleRequest } from './behaviour/behaviour'
import { simulatorConfig } from './config'
import type { GenerationRequest } from './generation/generation'
import type { GenerationView } from './generation/read'
import { createSimulator } from './simulator'

// Renders share a machine with whatever else runs.
setDefaultTimeout(30_000)

export const testKey = 'a-key-for-tests-only'

/** A real simulator on a free port over a folder of its own, and a client of it. For this service's tests. */
export async function startTestSimulator(dataDir = mkdtempSync(join(tmpdir(), 'filmgate-simulator-'))) {
  const log = createLog({ service: 'simulator', level: 'silent' })
  const config = simulatorConfig({ PORT: '0', SIMULATOR_KEY: testKey, SIMULATOR_DATA_DIR: dataDir, FILMGATE_DEVELOPMENT: '1' })
  const simulator = createSimulator(config, log)
  const server = startServer({ app: simulator.app, port: 0, log, readiness: simulator.readiness })
  return {
    ...testClient(`http://127.0.0.1:${server.port}`),
    readiness: simulator.readiness,
    async stop() {
      await server.drain(0)
      await simulator.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A small text-to-video request of its own id, cheap to render. */
export function testRequest(changes: Partial<GenerationRequest> = {}): GenerationRequest {
  return {
    client_task_id: `att_${crypto.randomUUID()}`,
    model: 'alpha-h3',
    mode: 'text-to-video',
    prompt: `a test ${crypto.randomUUID()}`,
    duration_seconds: 1,
    resolution: '360p',
    aspect_ratio: '16:9',
    ...changes,
  }
}

/** What any route may answer; a test looks at what its own does. */
type Answer = Omit<GenerationView, 'error'> & {
  data: GenerationView[]
  count: number
  error: { code: string; message: string; details: { faults: { path: string }[] } }
}

export function testClient(origin: string) {
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json', ...init.headers },
    })
  const json = async (path: string, init?: RequestInit) => {
    const answer = await call(path, init)
    return { status: answer.status, body: (await answer.json()) as Answer }
  }
  const post = (path: string, body: unknown) => json(path, { method: 'POST', body: JSON.stringify(body) })
  const read = async (id: string): Promise<GenerationView> => (await json(`/v1/generations/${id}`)).body as GenerationView
  return {
    origin,
    call,
    json,
    post,
    read,
    submit: (request: GenerationRequest) => post('/v1/generations', request),
    lookUp: (clientTaskId: string) => json(`/v1/generations?client_task_id=${clientTaskId}`),
    /** From now on, submits of this very request meet these behaviours. */
    behave: (request: GenerationRequest, behaviours: RuleRequest['behaviours'], more: Partial<RuleRequest> = {}) =>
      post('/admin/behaviours', { match: { client_task_id: request.client_task_id }, behaviours, ...more }),
    async submitCount(request: GenerationRequest): Promise<number> {
      return (await json(`/admin/submits?client_task_id=${request.client_task_id}`)).body.count
    },
    /** Reads until it has that status; gives up with what it saw last. */
    async until(id: string, status: string, patienceMs = 20_000): Promise<GenerationView> {
      const deadline = Date.now() + patienceMs
      for (;;) {
        const seen = await read(id)
        if (seen.status === status) return seen
        if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(seen)}, not ${status}`)
        await Bun.sleep(25)
      }
    },
  }
}

/** What ffprobe says of a file or address: streams by kind and the length. */
export async function probe(path: string) {
  const child = Bun.spawn(['ffprobe', '-v', 'error', '-show_streams', '-show_format', '-of', 'json', path], { stdout: 'pipe' })
  const { streams, format } = JSON.parse(await child.stdout.text())
  const video = streams.find((stream: { codec_type: string }) => stream.codec_type === 'video')
  const audio = streams.find((stream: { codec_type: string }) => stream.codec_type === 'audio')
  return {
    seconds: Number(format.duration),
    frames: Number(video.nb_frames),
    width: video.width as number,
    height: video.height as number,
    video: video.codec_name as string,
    audio: (audio?.codec_name ?? null) as string | null,
  }
}

/** The mean colour of a frame's part, as [red, green, blue]. `area` is ffmpeg's crop, `at` seconds from the start. */
export async function colourAt(path: string, at: number, area: string): Promise<[number, number, number]> {
  const filter = `crop=${area},scale=1:1:flags=area,format=rgb24`
  const child = Bun.spawn(
    ['ffmpeg', '-v', 'error', '-ss', String(at), '-i', path, '-vf', filter, '-frames:v', '1', '-f', 'rawvideo', '-'],
    { stdout: 'pipe' },
  )
  const [red = 0, green = 0, blue = 0] = await child.stdout.bytes()
  return [red, green, blue]
}

/** Makes a file with ffmpeg's own sources. */
export async function makeMedia(path: string, source: string, ...options: string[]): Promise<string> {
  const child = Bun.spawn(['ffmpeg', '-v', 'error', '-y', '-f', 'lavfi', '-i', source, ...options, path], { stderr: 'pipe' })
  if ((await child.exited) !== 0) throw new Error(await child.stderr.text())
  return path
}
