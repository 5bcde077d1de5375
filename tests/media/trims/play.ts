import { runTool } from '../corpus/judge/run-tool'

export type Presentation = { hashes: string[]; seconds: number; firstAt: number }

/** What an independent player shows of a file: plain ffmpeg, which honours edit lists, frame by frame. */
export async function play(path: string): Promise<Presentation> {
  const { out } = await runTool([
    ...['ffmpeg', '-nostdin', '-v', 'error', '-copyts', '-noautorotate', '-i', path, '-map', '0:v:0'],
    ...['-fps_mode', 'passthrough', '-enc_time_base', '-1', '-f', 'framemd5', '-'],
  ])
  const [, above = '1', below = '1'] = /^#tb 0: (\d+)\/(\d+)/m.exec(out) ?? []
  const tick = Number(above) / Number(below)
  const frames = [...out.matchAll(/^0, *-?\d+, *(-?\d+), *(\d+), *\d+, (\w+)/gm)].map(([, pts, duration, hash = '']) => ({
    at: Number(pts) * tick,
    length: Number(duration) * tick,
    hash,
  }))
  // ffmpeg also shows what an edit list of fragments hides, at times before zero.
  const shown = frames.filter(({ at, length }) => at > -length / 2)
  const last = shown.at(-1)
  const firstAt = shown[0]?.at ?? 0
  return { hashes: shown.map(({ hash }) => hash), seconds: last ? last.at + last.length - firstAt : 0, firstAt }
}
