import { runTool } from './run-tool'

export type Decoded = {
  frames: number
  /** From the first frame's time to the end of the last. */
  seconds: number
  firstAt: number
  checksums: string[]
}

export type Film = {
  /** Words that ffmpeg had to say; none of a file that decodes whole. */
  complaint: string
  picture: Decoded
  sound: Decoded
}

/** Every frame of picture and sound, decoded: `editList` false reads past the edit list; a client's file is read as leniently as ffmpeg reads. */
export async function decode(path: string, { editList = true, lenient = false } = {}): Promise<Film> {
  const { code, out, err } = await runTool([
    ...['ffmpeg', '-nostdin', '-v', 'error', '-copyts', '-noautorotate', '-threads', '1'],
    ...(lenient ? [] : ['-xerror', '-err_detect', 'explode']),
    ...(editList || !/\.(?:mp4|mov)$/.test(path) ? [] : ['-ignore_editlist', '1']),
    ...['-i', path, '-map', '0:v:0?', '-map', '0:a:0?', '-fps_mode', 'passthrough', '-enc_time_base', '-1', '-f', 'framecrc', '-'],
  ])
  const lines = out.split('\n')
  const streamOf = (kind: string) => lines.find(line => line.startsWith('#media_type ') && line.endsWith(`: ${kind}`))?.split(/[ :]/)[1]
  const of = (kind: string) => readRows(lines, streamOf(kind))
  return { complaint: err.trim() || (code === 0 ? '' : `ffmpeg ended with ${code}`), picture: of('video'), sound: of('audio') }
}

function readRows(lines: string[], stream: string | undefined): Decoded {
  const base =
    lines
      .find(line => line.startsWith(`#tb ${stream}:`))
      ?.split(':')[1]
      ?.trim() ?? '1/1'
  const [above = 1, below = 1] = base.split('/').map(Number)
  const rows = lines.filter(line => /^\d/.test(line) && line.startsWith(`${stream},`)).map(line => line.split(',').map(part => part.trim()))
  if (rows.length === 0) return { frames: 0, seconds: 0, firstAt: 0, checksums: [] }
  const times = rows.map(([, , pts = '0', duration = '0']) => ({
    at: (Number(pts) * above) / below,
    length: (Number(duration) * above) / below,
  }))
  const begins = Math.min(...times.map(({ at }) => at))
  const ends = Math.max(...times.map(({ at, length }) => at + length))
  return { frames: rows.length, seconds: ends - begins, firstAt: begins, checksums: rows.map(row => row[5] ?? '') }
}

/** Whether these stand in the others one behind the other: nothing was encoded again, left out or put between. */
export const isRunOf = (part: string[], whole: string[]): boolean =>
  part.length > 0 && `,${whole.join(',')},`.includes(`,${part.join(',')},`)

export type Probed = {
  format: { tags?: Record<string, string>; duration?: string }
  chapters: unknown[]
  streams: {
    codec_type: string
    codec_name: string
    codec_tag_string: string
    width?: number
    height?: number
    color_primaries?: string
    color_transfer?: string
    color_space?: string
    duration?: string
    tags?: Record<string, string>
    side_data_list?: { side_data_type: string; rotation?: number }[]
  }[]
}

export async function probe(path: string): Promise<Probed> {
  const { out } = await runTool(['ffprobe', '-v', 'error', '-show_streams', '-show_format', '-show_chapters', '-of', 'json', path])
  return { format: {}, chapters: [], streams: [], ...JSON.parse(out || '{}') }
}
