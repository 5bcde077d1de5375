import { readFile } from 'node:fs/promises'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { Known, Recipe } from '../recipe'
import { type Box, readBoxes, writeBoxes } from './boxes'
import { ffmpeg } from './cached'

export type Codec = 'h264' | 'hevc' | 'hevc10' | 'hevc-gray' | 'h264-high10' | 'prores' | 'prores4444' | 'vp9' | 'av1' | 'mpeg4'
export type Sound = 'aac' | 'pcm16' | 'pcm24' | 'mp3' | 'alac' | 'none'

/** One row: what is filmed, how it is encoded, how it is wrapped, and what the device adds to that. */
export type Clip = {
  codec?: Codec
  rate?: string
  seconds?: number
  width?: number
  height?: number
  bFrames?: number
  sound?: Sound
  soundRate?: number
  channels?: number
  soundSeconds?: number
  colour?: [primaries: string, transfer: string, matrix: string, range?: string]
  aspect?: string
  /** An expression for setpts where the rate varies; `frames` and `length` are then told. */
  pts?: string
  frames?: number
  length?: number
  /** A container that the clip went through before. */
  via?: 'mkv' | 'ts' | 'flv'
  container: 'mp4' | 'mov'
  scale?: number
  mux?: string[]
  inputs?: string[]
  maps?: string[]
  turn?: number
  encode?: string[]
  change?: (boxes: Box[]) => void
  /** What is done to the whole file at last. */
  finish?: (file: Buffer) => Buffer
}

const encoders: Record<Codec, (bFrames: number) => string[]> = {
  h264: b => [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
    '-bf',
    String(b),
    '-g',
    '15',
    ...(b ? ['-x264-params', 'b-pyramid=normal:b-adapt=0'] : []),
  ],
  'h264-high10': b => ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le', '-bf', String(b), '-g', '15'],
  hevc: b => [
    '-c:v',
    'libx265',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
    '-tag:v',
    'hvc1',
    '-x265-params',
    `log-level=none:bframes=${b}:keyint=15:b-adapt=0:open-gop=0`,
  ],
  'hevc-gray': b => [
    ...['-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'gray', '-tag:v', 'hvc1'],
    ...['-x265-params', `log-level=none:bframes=${b}:keyint=15:b-adapt=0:open-gop=0`],
  ],
  hevc10: b => [
    '-c:v',
    'libx265',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p10le',
    '-tag:v',
    'hvc1',
    '-x265-params',
    `log-level=none:bframes=${b}:keyint=15:b-adapt=0:open-gop=0`,
  ],
  prores: () => ['-c:v', 'prores_ks', '-profile:v', '2', '-vendor', 'apl0', '-pix_fmt', 'yuv422p10le'],
  prores4444: () => ['-c:v', 'prores_ks', '-profile:v', '4', '-vendor', 'apl0', '-pix_fmt', 'yuva444p10le'],
  vp9: () => ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-g', '15', '-b:v', '200k', '-pix_fmt', 'yuv420p'],
  av1: () => ['-c:v', 'libaom-av1', '-usage', 'realtime', '-cpu-used', '8', '-g', '15', '-pix_fmt', 'yuv420p'],
  mpeg4: () => ['-c:v', 'mpeg4', '-g', '15', '-b:v', '400k'],
}
const soundEncoders: Record<Sound, string[]> = {
  aac: ['-c:a', 'aac', '-b:a', '64k'],
  pcm16: ['-c:a', 'pcm_s16be'],
  pcm24: ['-c:a', 'pcm_s24le'],
  mp3: ['-c:a', 'libmp3lame', '-b:a', '64k'],
  alac: ['-c:a', 'alac'],
  none: [],
}
const fraction = (rate: string) => {
  const [above = 1, below = 1] = rate.split('/').map(Number)
  return above / below
}

/** The essence, encoded once for all files that wrap it; its time base has no rounding for any usual rate. */
function essence(clip: Clip): Promise<string> {
  const {
    codec = 'h264',
    rate = '30',
    seconds = 2,
    width = 384,
    height = 256,
    bFrames = 0,
    sound = 'aac',
    soundRate = 48_000,
    channels = 1,
  } = clip
  const { soundSeconds = seconds, colour, aspect, pts, encode = [] } = clip
  const frames = Math.round(fraction(rate) * seconds)
  const filters = [...(aspect ? [`setsar=${aspect}`] : []), ...(pts ? ['settb=1/120000', `setpts='${pts}'`] : [])]
  const range = colour?.[3] ?? 'tv'
  return ffmpeg(['vp9', 'av1'].includes(codec) ? 'mp4' : 'mov', [
    ...['-f', 'lavfi', '-i', `testsrc2=size=${width}x${height}:rate=${rate}`],
    ...(sound === 'none' ? [] : ['-f', 'lavfi', '-t', String(soundSeconds), '-i', `sine=frequency=440:sample_rate=${soundRate}`]),
    ...['-frames:v', String(frames)],
    ...(filters.length ? ['-vf', filters.join(',')] : []),
    ...(pts ? ['-fps_mode', 'passthrough', '-enc_time_base', '1/120000'] : []),
    ...encoders[codec](bFrames),
    ...(colour ? ['-color_primaries', colour[0], '-color_trc', colour[1], '-colorspace', colour[2], '-color_range', range] : []),
    ...(sound === 'none' ? [] : [...soundEncoders[sound], '-ac', String(channels)]),
    ...encode,
    ...['-video_track_timescale', '120000', '-write_tmcd', '0'],
  ])
}

const steps: Record<NonNullable<Clip['via']>, string[]> = {
  mkv: ['-c', 'copy'],
  ts: ['-c', 'copy', '-muxdelay', '0'],
  flv: ['-c', 'copy'],
}

async function wrap(clip: Clip): Promise<Buffer> {
  const { container, scale, mux = [], inputs = [], maps = ['-map', '0'], via, codec = 'h264' } = clip
  const start = await essence(clip)
  const from = via ? await ffmpeg(via, ['-i', start, ...steps[via]]) : start
  const tag = codec.startsWith('hevc') ? ['-tag:v:0', 'hvc1'] : []
  const path = await ffmpeg(container, [
    ...['-i', from, ...inputs.map(word => word.replaceAll('{essence}', from)), ...maps, '-c', 'copy', ...tag],
    ...(scale ? ['-video_track_timescale', String(scale)] : []),
    ...['-write_tmcd', '0', '-map_metadata', '0', ...mux],
  ])
  return readFile(path)
}

const playedByChromium: Codec[] = ['h264', 'vp9', 'av1']

/** A recipe of a movie from its row. */
export function movie(family: string, name: string, clip: Clip, more: Partial<Known> = {}, short = false): Recipe {
  const { codec = 'h264', rate = '30', seconds = 2, width = 384, height = 256, turn = 0, sound = 'aac', colour, change, finish } = clip
  const frames = clip.frames ?? Math.round(fraction(rate) * seconds)
  const turned = turn % 180 !== 0
  return {
    family,
    name,
    kind: MediaKind.VIDEO,
    extension: clip.container,
    short,
    known: {
      width: turned ? height : width,
      height: turned ? width : height,
      frames,
      seconds: clip.length ?? frames / fraction(rate),
      frameSeconds: 1 / fraction(rate),
      orientation: turn,
      sound: sound !== 'none',
      colour: colour && { primaries: colour[0], transfer: colour[1], matrix: colour[2] },
      chromium: playedByChromium.includes(codec),
      ...more,
    },
    async make() {
      const file = await wrap(clip)
      if (!change) return finish ? finish(file) : file
      const boxes = readBoxes(file)
      change(boxes)
      const changed = writeBoxes(boxes)
      return finish ? finish(changed) : changed
    },
  }
}
