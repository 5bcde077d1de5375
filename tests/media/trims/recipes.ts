import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { type Box, readBoxes, writeBoxes } from '../corpus/build/boxes'
import { ffmpeg } from '../corpus/build/cached'
import { type Edit, setEdits } from '../corpus/build/edits'
import { rotate } from '../corpus/build/tracks'
import type { Recipe } from '../corpus/recipe'
import { play } from './judge-trim'

type Container = 'mp4' | 'mov'
type Source = { codec?: keyof typeof encoders; bFrames?: number; rate?: string; sound?: boolean; varies?: boolean; size?: string }
/** `remuxed`: its frames are cut at key frames, so that they must be the client's own. */
export type TrimRecipe = Recipe & {
  remuxed: boolean
  /** Plays alike in ffmpeg, which misreads an empty edit at a list's end. */
  reference?: Buffer
}

const seconds = 6
/** Key frames stand at each 1.5 s. */
const keySeconds = 1.5
const [width, height] = [320, 256]

const x265 = (b: number, openGop: number) => [
  ...['-c:v', 'libx265', '-preset', 'ultrafast', '-tag:v', 'hvc1'],
  ...['-x265-params', `log-level=none:bframes=${b}:keyint=45:min-keyint=45:b-adapt=0:scenecut=0:open-gop=${openGop}`],
]
const x264 = (b: number, more = '') => [
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-bf', String(b)],
  ...['-x264-params', `keyint=45:min-keyint=45:scenecut=0:b-adapt=0${more}`],
]
const encoders = {
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
type Way = { cut?: string[]; seek?: string[]; via?: 'mkv' | 'ts'; change?: Change; playedAs?: Change; turn?: number; remuxed?: boolean }

function trim(family: string, name: string, container: Container, source: Source, way: Way, short = false): TrimRecipe {
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

const containers = ['mp4', 'mov'] as const
const spans: [from: number, to: number][] = [
  [0, 4],
  [1.5, 4.5],
  [1.5, 5.2],
  [0.4, 4],
  [0.7, 3.21],
  [1.49, 5],
  [2.9, 5.9],
  [1.51, 4.51],
  [3.3, 5.5],
  [0.033, 3],
]
const listed = (edits: Edit[]) => (boxes: Box[]) => setEdits(boxes, edits)
const trimmed = (from: number, to: number) => listed([{ seconds: to - from, from }])
const startsAtKey = (from: number) => Math.abs(from / keySeconds - Math.round(from / keySeconds)) < 1e-6

/** As phones and QuickTime trim: the file stays whole, and an edit list shows a part of it. */
const byEditLists = () => [
  ...spans.flatMap(([from, to], at) =>
    [0, 2].flatMap(bFrames =>
      containers.flatMap(container =>
        [true, false].map(sound =>
          trim(
            'edit lists',
            `${from}–${to} s, ${bFrames} B-frames${sound ? '' : ', silent'}`,
            container,
            { bFrames, sound },
            { change: trimmed(from, to), remuxed: bFrames === 0 && startsAtKey(from) },
            at % 3 === 1 && sound && container === 'mov' && bFrames === 2,
          ),
        ),
      ),
    ),
  ),
  ...[90, 180, 270].flatMap(turn =>
    spans
      .slice(0, 5)
      .map(([from, to], at) =>
        trim(
          'turned',
          `${turn}°, ${from}–${to} s`,
          containers[at % 2] ?? 'mp4',
          { sound: at % 2 === 0 },
          { change: trimmed(from, to), turn },
          turn === 90 && at === 3,
        ),
      ),
  ),
]

const seeks: [from: string, length: string][] = [
  ['0', '3'],
  ['1.5', '3'],
  ['0.7', '3'],
  ['2.1', '3.5'],
  ['1.4', '4.4'],
]

/** As ffmpeg copies a part of a stream: everything from the key frame before, hidden by an edit list or not. */
const byStreamCopies = () => [
  ...seeks.flatMap(([from, length], at) =>
    [0, 1, 2].flatMap(bFrames =>
      containers.flatMap(container =>
        [true, false].map(sound =>
          trim(
            'stream copies',
            `-ss ${from} -t ${length}, ${bFrames} B-frames${sound ? '' : ', silent'}`,
            container,
            { bFrames, sound },
            { seek: ['-ss', from, '-t', length], remuxed: bFrames === 0 && startsAtKey(Number(from)) },
            at % 2 === 0 && sound && container === 'mp4' && bFrames === 2,
          ),
        ),
      ),
    ),
  ),
  ...seeks.flatMap(([from, length], at) =>
    ['make_zero', 'make_non_negative', 'disabled'].map(form =>
      trim(
        'stream copies',
        `-ss ${from} -t ${length}, ${form}`,
        containers[at % 2] ?? 'mp4',
        {},
        { seek: ['-ss', from, '-t', length], cut: ['-avoid_negative_ts', form] },
      ),
    ),
  ),
  ...seeks.flatMap(([from], at) =>
    [0, 2].map(bFrames =>
      trim(
        'stream copies',
        `-ss ${from} -t 5 behind -i, ${bFrames} B-frames`,
        containers[at % 2] ?? 'mp4',
        { bFrames, sound: false },
        { cut: ['-ss', from, '-t', '5'] },
      ),
    ),
  ),
]

const fragmented = {
  'delayed header': 'frag_keyframe+delay_moov',
  'empty header': 'frag_keyframe+empty_moov+default_base_moof',
  DASH: 'dash+frag_keyframe+delay_moov',
}

const rewrapped = () => [
  ...seeks.flatMap(([from, length], at) =>
    Object.entries(fragmented).flatMap(([form, flags]) =>
      [0, 2].map(bFrames =>
        trim(
          'fragments',
          `${form}, -ss ${from} -t ${length}, ${bFrames} B-frames`,
          'mp4',
          { bFrames, sound: at % 2 === 0 },
          { seek: ['-ss', from, '-t', length], cut: ['-movflags', flags] },
          at === 2 && bFrames === 2,
        ),
      ),
    ),
  ),
  ...(['mkv', 'ts'] as const).flatMap(via =>
    seeks.flatMap(([from, length], at) =>
      [0, 2].map(bFrames =>
        trim(
          're-wrapped',
          `through ${via}, -ss ${from} -t ${length}, ${bFrames} B-frames`,
          containers[at % 2] ?? 'mp4',
          { bFrames },
          { via, seek: ['-ss', from, '-t', length], cut: via === 'ts' ? ['-bsf:a', 'aac_adtstoasc'] : [] },
          at === 3 && bFrames === 0,
        ),
      ),
    ),
  ),
]

const retimed = () => [
  ...spans
    .slice(0, 8)
    .flatMap(([from, to], at) =>
      ['25', '30000/1001', '60'].map(rate =>
        trim(
          'rates',
          `${rate}, ${from}–${to} s`,
          containers[at % 2] ?? 'mp4',
          { rate, bFrames: at % 3 },
          { change: trimmed(from, to) },
          at === 4 && rate === '60',
        ),
      ),
    ),
  ...spans
    .slice(0, 8)
    .flatMap(([from, to], at) =>
      [0, 2].map(bFrames =>
        trim(
          'variable rates',
          `${from}–${to} s, ${bFrames} B-frames`,
          containers[at % 2] ?? 'mp4',
          { varies: true, bFrames, sound: at % 2 === 0 },
          { change: trimmed(from, to) },
          at === 4 && bFrames === 0,
        ),
      ),
    ),
]

const codecs = () =>
  (Object.keys(encoders) as (keyof typeof encoders)[])
    .filter(codec => codec !== 'h264')
    .flatMap(codec =>
      [...spans.slice(1, 5), ...spans.slice(8, 9)].map(([from, to], at) =>
        trim(
          'codecs',
          `${codec}, ${from}–${to} s`,
          codec === 'prores' ? 'mov' : codec === 'vp9' ? 'mp4' : (containers[at % 2] ?? 'mp4'),
          { codec, sound: at % 2 === 0 },
          { change: trimmed(from, to), remuxed: codec === 'prores' },
          at === 2 && codec !== 'vp9',
        ),
      ),
    )

/** Lists of several entries, as QuickTime and composers of Apple's write them. */
const pieces = (): TrimRecipe[] => {
  const lists: Record<string, Edit[]> = {
    'the middle removed': [
      { seconds: 1, from: 0.4 },
      { seconds: 2, from: 3.1 },
    ],
    'three pieces': [
      { seconds: 1, from: 0 },
      { seconds: 1, from: 2.2 },
      { seconds: 1, from: 4.5 },
    ],
    'in another order': [
      { seconds: 1.5, from: 3.2 },
      { seconds: 1.5, from: 0.5 },
    ],
    'pieces that touch': [
      { seconds: 1.5, from: 0 },
      { seconds: 1.5, from: 1.5 },
    ],
    'nothing before': [{ seconds: 0.5 }, { seconds: 3, from: 0.9 }],
    'nothing behind': [{ seconds: 3, from: 0.9 }, { seconds: 1 }],
    'nothing before and behind': [{ seconds: 0.2 }, { seconds: 3, from: 1.5 }, { seconds: 0.7 }],
  }
  return Object.entries(lists).flatMap(([name, list]) =>
    [0, 2].flatMap(bFrames =>
      containers.map(container =>
        trim(
          'pieces',
          `${name}, ${bFrames} B-frames`,
          container,
          { bFrames },
          { change: listed(list), ...(list.at(-1)?.from === undefined ? { playedAs: listed(list.slice(0, -1)) } : {}) },
          bFrames === 2 && container === 'mov' && /middle/.test(name),
        ),
      ),
    ),
  )
}

export const trimRecipes = (): TrimRecipe[] => [
  ...byEditLists(),
  ...byStreamCopies(),
  ...rewrapped(),
  ...retimed(),
  ...codecs(),
  ...pieces(),
]
