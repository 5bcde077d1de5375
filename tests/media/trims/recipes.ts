import type { Box } from '../corpus/build/boxes'
import { type Edit, setEdits } from '../corpus/build/edits'
import { encoders, keySeconds, type TrimRecipe, trim } from './trim'

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
            at === 4 && sound && container === 'mov' && bFrames === 2,
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
            at === 2 && sound && container === 'mp4' && bFrames === 2,
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
          at === 2 && bFrames === 2 && form === 'empty header',
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
          at === 3 && bFrames === 0 && via === 'ts',
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
          at === 2 && (codec === 'hevc of open groups' || codec === 'h264 of 10 bits'),
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
