import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { Failure } from '@filmgate/kit/failure'
import { KindLimitsSchema, MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { findTools } from '../child/find-tools'
import type { SourceFile } from '../child/source-file'
import type { Tools } from '../child/tools'
import { measure } from '../measuring/measure'
import type { Measurement } from '../measuring/measurement'

/** Alpha's limits. */
export const movieLimits = create(KindLimitsSchema, {
  ...{ widthMin: 256, widthMax: 5760, heightMin: 256, heightMax: 5760, ratioMin: 0.4, ratioMax: 2.5 },
  ...{ frameRateMin: 23.976, frameRateMax: 60, secondsMin: 2, secondsMax: 15 },
})

export const picture = (seconds = 3, rate = '30', size = '320x256') => [
  ...['-f', 'lavfi', '-t', String(seconds), '-i', `testsrc2=size=${size}:rate=${rate}`],
]
export const tone = (seconds = 3) => ['-f', 'lavfi', '-t', String(seconds), '-i', 'sine']
/** With B-frames and a key frame each second. */
export const h264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-bf', '2', '-g', '30', '-sc_threshold', '0']

export type Outcome = Measurement | { refused: string; found: string }

/** A folder of generated movies and the results of measuring them. */
export async function openMovies() {
  const folder = await mkdtemp(join(tmpdir(), 'movies-'))
  const found = await findTools({ ffprobe: 'ffprobe', ffmpeg: 'ffmpeg' }, folder, undefined)
  const tools: Tools = { ...found, childLimits: { memoryBytesMax: 2 ** 30, cpuSecondsMax: 60 }, childDeadlineMs: 25_000, coresMax: 2 }
  return {
    folder,
    tools,
    pathOf: (name: string) => join(folder, name),
    async make(name: string, ...options: string[]): Promise<string> {
      const path = join(folder, name)
      const child = Bun.spawn(['ffmpeg', '-v', 'error', '-y', ...options, path], { stdin: 'ignore', stderr: 'pipe' })
      const complaint = await new Response(child.stderr).text()
      if ((await child.exited) !== 0) throw new Error(complaint)
      return path
    },
    /** Cleans and measures the file; its clean copy is at `copy`. */
    async outcome(path: string, own: { tools?: Tools; source?: Partial<SourceFile> } = {}): Promise<{ copy: string; outcome: Outcome }> {
      const copy = join(folder, crypto.randomUUID())
      const format = path.endsWith('.mov') ? 'mov' : 'mp4'
      const given = { path, copyPath: copy, folder, format, kind: MediaKind.VIDEO, limits: movieLimits, declaredSeconds: 0 } as const
      try {
        const source = { ...given, signal: new AbortController().signal, ...own.source }
        return { copy, outcome: await measure(own.tools ?? tools, source) }
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        const { measured = '' }: { measured?: string } = error.options.details ?? {}
        return { copy, outcome: { refused: error.reason, found: measured } }
      }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

export type Movies = Awaited<ReturnType<typeof openMovies>>

/** ffprobe's output for a file, outside of the sandbox. */
export async function probed(path: string, ...options: string[]): Promise<string[]> {
  const child = Bun.spawn(['ffprobe', '-v', 'error', ...options, '-of', 'compact=nk=1:p=0', path], { stdin: 'ignore', stdout: 'pipe' })
  return (await new Response(child.stdout).text()).split('\n').filter(line => line !== '')
}

/** Seconds and frames that plain ffmpeg decodes. */
export async function decoded(path: string): Promise<{ seconds: number; frames: number }> {
  const options = ['-v', 'error', '-xerror', '-i', path, '-map', '0:v', '-fps_mode', 'passthrough', '-f', 'framecrc', '-']
  const child = Bun.spawn(['ffmpeg', ...options], { stdin: 'ignore', stdout: 'pipe' })
  const text = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error('the copy does not decode')
  const [, scale = '0'] = /^#tb 0: 1\/(\d+)/m.exec(text) ?? []
  const frames = [...text.matchAll(/^0, *-?\d+, *(-?\d+), *(\d+),/gm)].map(([, pts, duration]) => Number(pts) + Number(duration))
  return { seconds: Math.max(...frames) / Number(scale), frames: frames.length }
}
