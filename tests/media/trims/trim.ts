import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { type Box, readBoxes, writeBoxes } from '../corpus/build/boxes'
import { ffmpeg } from '../corpus/build/cached'
import { rotate } from '../corpus/build/tracks'
import type { Recipe } from '../corpus/recipe'
import { play } from './play'

export type Container = 'mp4' | 'mov'
export type Source = { codec?: keyof typeof encoders; bFrames?: number; rate?: string; sound?: boolean; varies?: boolean; size?: string }
/** `remuxed`: its frames are cut at key frames, so that they must be the client's own. */
export type TrimRecipe = Recipe & {
  remuxed: boolean
  /** Plays alike in ffmpeg, which misreads an empty edit at a list's end. */
  reference?: Buffer
}

const seconds = 6
/** Key frames stand at each 1.5 s. */
export const keySeconds = 1.5
const [width, height] = [320, 256]

const x265 = (b: number, openGop: number) => [
  ...['-c:v', 'libx265', '-preset', 'ultrafast', '-tag:v', 'hvc1'],
  ...['-x265-params', `log-level=none:bframes=${b}:keyint=45:min-keyint=45:b-adapt=0:scenecut=0:open-gop=${openGop}`],
]
const x264 = (b: number, more = '') => [
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-bf', String(b)],
  ...['-x264-params', `keyint=45:min-keyint=45:scenecut=0:b-adapt=0${more}`],
]
export const encoders = {
  h264: (b: number) => [...x264(b), '-pix_fmt', 'yuv420p'],
  'h264 of open groups': (b: number) => [...x264(b, ':open-gop=1'), '-pix_fmt', 'yuv420p'],
  'h264 of 10 bits': (b: number) => [...x264(b), '-pix_fmt', 'yuv420p10le'],
  hevc: (b: number) => [...x265(b, 0), '-pix_fmt', 'yuv420p'],
  'hevc of open groups': (b: number) => [...x265(b, 1), '-pix_fmt', 'yuv420p'],
  'hevc of 10 bits': (b: number) => [...x265(b, 0), '-pix_fmt', 'yuv420p10le'],
  mpeg4: () => ['-c:v', 'mpeg4', '-g', '45', '-q:v', '3', '-pix_fmt', 'yuv420p'],
  vp9: () => [
    '-c:v',
    'libvpx-vp9',
    '-deadline',
    'realtime',
    '-cpu-used',
    '8',
    '-g',
    '45',
    '-keyint_min',
    '45',
    '-b:v',
    '1M',
    '-pix_fmt',
    'yuv420p',
  ],
  prores: () => ['-c:v', 'prores_ks', '-profile:v', '0', '-pix_fmt', 'yuv422p10le'],
}

/** The recording that is trimmed. Its sound rises, so that each moment sounds different. */
function recording(
  { codec = 'h264', bFrames = 2, rate = '30', sound = true, varies = false }: Source,
  container: Container,
): Promise<string> {
  const filters = ['noise=alls=3', ...(varies ? ['settb=1/90000', "setpts='round((N+0.3*sin(N/5))*3000)'"] : [])]
  return ffmpeg(container, [
    ...['-f', 'lavfi', '-t', String(seconds), '-i', `testsrc2=size=${width}x${height}:rate=${rate}`],
    ...(sound ? ['-f', 'lavfi', '-t', String(seconds), '-i', 'aevalsrc=0.5*sin(2*PI*(300*t+40*t*t)):s=44100'] : []),
    ...['-vf', filters.join(','), ...(varies ? ['-fps_mode', 'passthrough', '-enc_time_base', '1/90000'] : [])],
    ...[
      ...encoders[codec](bFrames),
      ...(sound ? ['-c:a', 'aac', '-b:a', '96k'] : []),
      '-video_track_timescale',
      varies ? '90000' : '30000',
    ],
  ])
}

type Change = (boxes: Box[]) => void
export type Way = {
  cut?: string[]
  seek?: string[]
  via?: 'mkv' | 'ts'
  change?: Change
  playedAs?: Change
  turn?: number
  remuxed?: boolean
}

export function trim(family: string, name: string, container: Container, source: Source, way: Way, short = false): TrimRecipe {
  const { rate = '30', sound = true } = source
  const { cut = [], seek = [], via, change, playedAs, turn = 0, remuxed = false } = way
  const turned = turn % 180 !== 0
  const [above = 30, below = 1] = rate.split('/').map(Number)
  const recipe: TrimRecipe = {
    ...{ family, name: `${name}, ${container}`, kind: MediaKind.VIDEO, extension: container, short, remuxed },
    known: {
      ...{ width: turned ? height : width, height: turned ? width : height, seconds: 0, frames: 0, frameSeconds: below / above },
      ...{ orientation: turn, sound, chromium: false },
    },
    async make() {
      const whole = await recording(source, container)
      const from = via ? await ffmpeg(via, ['-i', whole, '-c', 'copy', ...(via === 'ts' ? ['-muxdelay', '0'] : [])]) : whole
      const plain = seek.length + cut.length > 0 || via ? await ffmpeg(container, [...seek, '-i', from, '-c', 'copy', ...cut]) : whole
      const written = async (own: Change) => {
        const boxes = readBoxes(await readFile(plain))
        own(boxes)
        if (turn) rotate(boxes, turn)
        return writeBoxes(boxes)
      }
      const file = change ? await written(change) : await readFile(plain)
      if (playedAs) recipe.reference = await written(playedAs)
      const shown = await playFile(recipe.reference ?? file, container)
      // What a client declares: the length that plays, or what it asked the program for.
      recipe.known.seconds = shown.seconds
      recipe.declaredSeconds = Math.ceil(shown.seconds - Math.min(2 * recipe.known.frameSeconds, 0.1) - 0.001)
      return file
    },
  }
  return recipe
}

async function playFile(file: Buffer, container: Container) {
  const path = join(tmpdir(), `trim-${crypto.randomUUID()}.${container}`)
  await writeFile(path, file)
  try {
    return await play(path)
  } finally {
    await rm(path, { force: true })
  }
}
