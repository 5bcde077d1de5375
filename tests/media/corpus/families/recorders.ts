import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { bytes, rawBox, u32 } from '../build/boxes'
import { type Clip, movie } from '../build/clip'
import { rotate, setBrands } from '../build/tracks'
import type { Recipe } from '../recipe'

const fragments = {
  'each key frame': ['-movflags', 'frag_keyframe+empty_moov+default_base_moof'],
  'each key frame, the first in moov': ['-movflags', 'frag_keyframe'],
  'half a second': ['-movflags', 'empty_moov+default_base_moof', '-frag_duration', '500000'],
  'a second with an index': ['-movflags', 'dash+frag_keyframe'],
  'with sidx and no start': ['-movflags', 'cmaf+frag_keyframe'],
  'own offsets': ['-movflags', 'frag_keyframe+empty_moov'],
  'delayed moov': ['-movflags', 'frag_keyframe+delay_moov'],
}
const rates = ['24', '30', '30000/1001', '60', '60000/1001', '24000/1001']
const soundTracks = (count: number) => ['-map', '0:v', ...Array.from({ length: count }, () => ['-map', '0:a']).flat()]

function obs(): Recipe[] {
  return [
    ...[1, 2, 3, 4, 5, 6].flatMap(tracks =>
      (['mp4', 'mov'] as const).map(container =>
        movie(
          'OBS',
          `${tracks} sound tracks in ${container}`,
          { container, rate: '60', bFrames: 2, maps: soundTracks(tracks), channels: 2 },
          {},
          tracks === 6 && container === 'mp4',
        ),
      ),
    ),
    ...Object.entries(fragments).flatMap(([form, mux]) =>
      ['30', '60', '30000/1001'].flatMap(rate =>
        [0, 2].map(bFrames =>
          movie(
            'fragmented',
            `${form}, ${rate} fps, ${bFrames} B-frames`,
            { container: 'mp4', rate, bFrames, mux },
            {},
            form === 'half a second' && rate === '60' && bFrames === 2,
          ),
        ),
      ),
    ),
    ...['30', '60'].map(rate =>
      movie('fragmented', `MOV ${rate} fps`, { container: 'mov', rate, bFrames: 2, mux: fragments['each key frame'] }),
    ),
    ...rates.flatMap(rate =>
      [0, 2].map(bFrames =>
        movie(
          'remuxed from MKV',
          `${rate} fps, ${bFrames} B-frames`,
          { container: 'mp4', via: 'mkv', rate, bFrames, mux: ['-movflags', '+faststart'] },
          {},
          rate === '60' && bFrames === 2,
        ),
      ),
    ),
    ...['24', '30', '60'].flatMap(rate =>
      [0, 2].map(bFrames =>
        movie('remuxed from MKV', `scale 600, ${rate} fps, ${bFrames} B-frames`, {
          container: 'mov',
          via: 'mkv',
          rate,
          bFrames,
          scale: 600,
        }),
      ),
    ),
    ...['25', '30', '50'].map(rate =>
      movie('remuxed from TS', `${rate} fps`, { container: 'mp4', via: 'ts', rate, bFrames: 2, mux: ['-bsf:a', 'aac_adtstoasc'] }),
    ),
    ...['30', '60'].map(rate =>
      movie('remuxed from FLV', `${rate} fps`, { container: 'mp4', via: 'flv', rate, bFrames: 2, soundRate: 44_100 }),
    ),
    ...['free', 'skip', 'wide'].map(type =>
      movie('OBS hybrid', `a ${type} box where the first moov was`, {
        container: 'mp4',
        rate: '60',
        bFrames: 2,
        change: boxes => void boxes.splice(1, 0, { type, at: 0, body: Buffer.alloc(1_000) }),
      }),
    ),
  ]
}

function timing(): Recipe[] {
  const later = (what: 'v' | 'a', seconds: number) => ({
    inputs: ['-itsoffset', String(seconds), '-i', '{essence}'],
    maps: what === 'v' ? ['-map', '1:v', '-map', '0:a'] : ['-map', '0:v', '-map', '1:a'],
  })
  return [
    ...[0.021, 0.1, 0.3, 0.5].flatMap(seconds =>
      (['mp4', 'mov'] as const).map(container =>
        movie(
          'a late start',
          `sound ${seconds} s later, ${container}`,
          { container, bFrames: 2, ...later('a', seconds), soundSeconds: 2 - seconds },
          {},
          seconds === 0.3 && container === 'mov',
        ),
      ),
    ),
    ...[0.04, 0.1, 0.3].map(seconds =>
      movie('a late start', `picture ${seconds} s later`, { container: 'mp4', ...later('v', seconds), soundSeconds: 2 + seconds }),
    ),
    ...[0.3, 0.5, 0.6].map(gap =>
      movie(
        'screen capture',
        `a gap of ${gap} s at the start`,
        {
          container: 'mp4',
          seconds: 2.5,
          sound: 'none',
          pts: `if(eq(N,0),0,round(N*4000+${Math.round(gap * 120_000)}))`,
          length: 2.5 + gap,
        },
        {},
        gap === 0.3,
      ),
    ),
    ...[1, 2, 3, 4, 5, 6, 7, 8].map(seed =>
      movie(
        'screen capture',
        `a variable rate of 24–60, ${seed}`,
        {
          container: seed % 2 ? 'mp4' : 'mov',
          scale: seed % 3 ? 90_000 : 600,
          rate: '40',
          seconds: 2.5,
          pts: `round((N+${seed / 3}*sin(N/${seed + 2}))*3000)`,
          length: 2.5,
          sound: seed % 2 ? 'aac' : 'none',
        },
        { frameSeconds: 1 / 12 },
        seed === 3,
      ),
    ),
    ...[1, 2, 3].map(every =>
      movie('screen capture', `each ${every * 10}th frame twice as long`, {
        container: 'mp4',
        rate: '60',
        seconds: 2,
        pts: `round(N*2000+floor(N/${every * 10})*2000)`,
        length: 2 + Math.floor(119 / (every * 10)) / 60,
      }),
    ),
    ...['30', '60'].flatMap(rate =>
      [90, 270].map(turn =>
        movie('screen capture', `a phone's screen, ${rate} fps, turned ${turn}`, {
          container: 'mov',
          scale: 600,
          rate,
          turn,
          sound: 'none',
          change: boxes => rotate(boxes, turn),
        }),
      ),
    ),
    ...[8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000].map(soundRate =>
      movie(
        'sound of low rate',
        `AAC of ${soundRate} Hz`,
        { container: soundRate % 2 ? 'mov' : 'mp4', soundRate },
        {},
        soundRate === 8_000,
      ),
    ),
    ...[0.05, 0.09, -0.3, -1].map(more =>
      movie('sound of another length', `sound of ${more} s more`, { container: 'mp4', soundSeconds: 2 + more }),
    ),
  ]
}

function screens(): Recipe[] {
  const forms: [string, Partial<Clip>][] = [
    ['QuickTime Player', { container: 'mov', scale: 6_000, rate: '60', bFrames: 2 }],
    ['Game Bar', { container: 'mp4', scale: 10_000, rate: '60' }],
    ['Windows Camera', { container: 'mp4', scale: 30_000, rate: '30' }],
    ['ScreenFlow', { container: 'mov', scale: 2_500, rate: '30', sound: 'pcm16' }],
    ['ShadowPlay', { container: 'mp4', scale: 15_360, rate: '60', maps: soundTracks(2) }],
    ['Loom', { container: 'mp4', rate: '30', mux: fragments['half a second'], sound: 'aac' }],
    ['Zoom', { container: 'mp4', rate: '25', soundRate: 32_000, codec: 'h264' }],
    ['Teams', { container: 'mp4', rate: '30', soundRate: 16_000 }],
    ['Android screenrecord', { container: 'mp4', scale: 90_000, sound: 'none', rate: '60' }],
  ]
  return forms.flatMap(([name, form]) =>
    [0, 2].map(bFrames =>
      movie('screen recorders', `${name}, ${bFrames} B-frames`, {
        container: 'mp4',
        bFrames,
        ...form,
        ...(form.bFrames ? { bFrames: bFrames + 1 } : {}),
        change: boxes => (form.container === 'mp4' ? setBrands(boxes, 'mp42', ['mp41', 'isom']) : undefined),
      }),
    ),
  )
}

/** Behind a movie: what a card or a recorder leaves, and boxes of size 0 that reach to the end. */
function tails(): Recipe[] {
  const endings: Record<string, (file: Buffer) => Buffer> = {
    'a free box of 64 KiB': file => bytes(file, rawBox('free', Buffer.alloc(65_536))),
    'an empty mdat': file => bytes(file, rawBox('mdat')),
    'a box of size 0': file => bytes(file, u32(0), 'free', Buffer.alloc(100)),
    'an mfra index': file => bytes(file, rawBox('mfra', rawBox('mfro', u32(0), u32(24)))),
    'two unknown boxes': file => bytes(file, rawBox('ABCD', Buffer.alloc(9)), rawBox('zzzz')),
    'a uuid of XMP': file =>
      bytes(
        file,
        rawBox(
          'uuid',
          Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'),
          '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"></x:xmpmeta>',
        ),
      ),
  }
  return Object.entries(endings).flatMap(([name, finish]) =>
    (['mp4', 'mov'] as const).map(container =>
      movie(
        'behind the movie',
        `${name}, ${container}`,
        { container, bFrames: 2, finish },
        {},
        name === 'a uuid of XMP' && container === 'mp4',
      ),
    ),
  )
}

/** Cameras for the night and microscopes write gray as HEVC 4:0:0. */
const gray = (): Recipe[] =>
  (['mp4', 'mov'] as const).flatMap(container =>
    [0, 2].map(bFrames =>
      movie(
        'without colours',
        `HEVC, ${bFrames} B-frames, ${container}`,
        { container, codec: 'hevc-gray', bFrames },
        {},
        container === 'mp4' && bFrames === 2,
      ),
    ),
  )

/** Made in 2016: the installed x264 codes 4:4:4 in another way, and decoders go by the build number in the file. */
const oldEncoders = (): Recipe[] => [
  {
    family: 'old encoders',
    name: 'x264 core 148 in 4:4:4',
    kind: MediaKind.VIDEO,
    extension: 'mp4',
    short: true,
    known: { width: 256, height: 256, frames: 48, seconds: 2, frameSeconds: 1 / 24, orientation: 0, sound: false, chromium: true },
    make: () => readFile(join(import.meta.dir, '../../../../services/media-probe/src/testing/x264-core-148.mp4')),
  },
]

export const recorders = () => [...obs(), ...timing(), ...screens(), ...tails(), ...gray(), ...oldEncoders()]
