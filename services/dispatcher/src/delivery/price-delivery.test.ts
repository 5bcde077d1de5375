import { expect, test } from 'bun:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { MediaKind, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { PriceItem, type PriceRowSchema, PriceUnit } from '@filmgate/proto/gen/filmgate/v1/price_pb'
import { decodeTerms, encodeTerms } from '../attempt/order'
import { ownRoutes } from '../config'
import { readRoutes } from '../routing/read-routes'
import { priceDelivery } from './price-delivery'
import type { Measured } from './read-mp4'

type Row = MessageInitShape<typeof PriceRowSchema>
const credits = (amount: number) => BigInt(amount * 1_000_000)
const output = (resolution: string, amount: number, more: Row = {}): Row => ({
  ...{ item: PriceItem.OUTPUT, unit: PriceUnit.SECOND, resolution, microCredits: credits(amount), ...more },
})
const clip = (resolution: string, amount: number, durationSeconds = 0) =>
  output(resolution, amount, { unit: PriceUnit.GENERATION, durationSeconds })
const input = (resolution: string, amount: number): Row => output(resolution, amount, { item: PriceItem.INPUT_VIDEO })

/** The shapes that price files have: `tokens` are seconds at a rate with a fraction. */
const shapes = {
  second: [output('480p', 5), output('720p', 10), output('1080p', 20), input('480p', 1), input('720p', 2), input('1080p', 4)],
  withAudio: ['720p', '1080p'].flatMap((resolution, index) => [
    output(resolution, 6 + 2 * index, { audio: false }),
    output(resolution, 8 + 2 * index, { audio: true }),
  ]),
  tokens: [output('480p', 2.3), output('720p', 5.2), output('1080p', 11.7)],
  clips: [clip('512p', 6, 5), clip('512p', 10, 10), clip('768p', 20, 6), clip('768p', 40, 10), clip('1080p', 35)],
  generation: [clip('720p', 50), clip('1080p', 80)],
  followed: [output('720p', 6), output('1080p', 8)],
}
const sizes: Record<string, [number, number]> = {
  ...{ tiny: [320, 180], '480p': [854, 480], '512p': [912, 512], '720p': [1280, 720], '768p': [1366, 768], '1080p': [1920, 1080] },
  ...{ square720p: [960, 960], wide480p: [960, 416], wide720p: [1470, 630], '704p': [1248, 704], '4k': [3840, 2160] },
  ...{ stretched: [16_000, 180], stretchedStrip: [1920, 720], strip: [1920, 90], ribbon: [4096, 204], tall: [720, 1280] },
  ...{ long: [1280, 548], longTall: [548, 1280], longRibbon: [1280, 300], double: [1280, 640] },
}

type Ordered = { seconds: number; resolution: string; aspectRatio?: string; audio?: boolean; reserved: number; videoSeconds?: number }
const held = (shape: keyof typeof shapes, ordered: Ordered, came: { seconds?: number; size?: string; coded?: string; audio?: boolean }) => {
  const size = came.size ?? ordered.resolution
  const [width = 0, height = 0] = sizes[size] ?? []
  const [codedWidth = 0, codedHeight = 0] = sizes[came.coded ?? size] ?? []
  const measured: Measured = {
    ...{ durationMs: (came.seconds ?? ordered.seconds) * 1_000, width, height, codedWidth, codedHeight, frameRate: 24, videoCodec: 'h264' },
    hasAudio: came.audio ?? ordered.audio ?? false,
  }
  const { seconds, resolution, aspectRatio, audio, reserved, videoSeconds } = ordered
  const order = create(OrderSchema, {
    ...{ durationSeconds: seconds, resolution, prices: shapes[shape], credits: BigInt(reserved) },
    ...(audio !== undefined && { generateAudio: audio }),
    ...(aspectRatio !== undefined && { aspectRatio }),
    inputs: videoSeconds ? [{ kind: MediaKind.VIDEO, declaredSeconds: videoSeconds }] : [],
  })
  // As it is kept with an attempt.
  const { shortfalls, dueCredits } = priceDelivery(decodeTerms(encodeTerms(order)), measured)
  return [shortfalls.join(' '), dueCredits ?? 'all']
}

const hd: Ordered = { seconds: 5, resolution: '720p', reserved: 50 }
const loud: Ordered = { seconds: 5, resolution: '1080p', audio: true, reserved: 50 }
const long: Ordered = { seconds: 10, resolution: '768p', reserved: 40 }

test.each<[string, ReturnType<typeof held>, [string, number | 'all']]>([
  ['what was ordered', held('second', hd, {}), ['', 'all']],
  ['more of everything', held('second', hd, { seconds: 9, size: '4k', audio: true }), ['', 'all']],
  ['half a second less, which models round away', held('second', hd, { seconds: 4.5 }), ['', 'all']],
  ['a second of five', held('second', hd, { seconds: 1 }), ['duration', 10]],
  ['a second and its rounding', held('second', hd, { seconds: 1.09 }), ['duration', 10]],
  ['two seconds begun', held('second', hd, { seconds: 1.2 }), ['duration', 20]],
  ['a moment, which is a second', held('second', hd, { seconds: 0.04 }), ['duration', 10]],
  ['half of a second', held('second', { ...hd, seconds: 1, reserved: 10 }, { seconds: 0.5 }), ['duration', 'all']],
  ['a class below', held('second', hd, { size: '480p' }), ['resolution', 25]],
  ['below every class', held('second', hd, { size: 'tiny' }), ['resolution', 25]],
  [
    'a class below of what is above both',
    held('second', { ...hd, resolution: '1080p', reserved: 100 }, { size: '768p' }),
    ['resolution', 50],
  ],
  ['sides rounded to multiples', held('second', hd, { size: '704p' }), ['', 'all']],
  ['the pixels of the class as a square', held('second', hd, { size: 'square720p' }), ['', 'all']],
  ['the pixels of the class as a strip', held('second', hd, { size: 'wide720p' }), ['', 'all']],
  ['the pixels of the class below as a strip', held('second', hd, { size: 'wide480p' }), ['resolution', 25]],
  ['few pixels that are shown as many', held('second', hd, { size: 'stretched', coded: 'tiny' }), ['resolution', 25]],
  ['a strip that is shown as a whole picture', held('second', hd, { size: 'stretchedStrip', coded: 'strip' }), ['resolution', 25]],
  ['the pixels of the class as a ribbon', held('second', hd, { size: 'ribbon' }), ['resolution', 25]],
  ['pixels that are turned to be shown', held('second', hd, { size: 'tall', coded: '720p' }), ['', 'all']],
  ['the longer side of the class as a strip', held('second', { ...hd, aspectRatio: '21:9' }, { size: 'long' }), ['', 'all']],
  ['the longer side of the class, upright', held('second', { ...hd, aspectRatio: '9:21' }, { size: 'longTall' }), ['', 'all']],
  ['the longer side, where the model chose', held('second', { ...hd, aspectRatio: 'adaptive' }, { size: 'double' }), ['', 'all']],
  ['the longer side as a ribbon', held('second', { ...hd, aspectRatio: '21:9' }, { size: 'longRibbon' }), ['resolution', 25]],
  ['a strip where none was ordered', held('second', { ...hd, aspectRatio: '16:9' }, { size: 'long' }), ['resolution', 25]],
  ['a strip, of an order whose ratio is not known', held('second', hd, { size: 'long' }), ['resolution', 25]],
  ['short and small', held('second', hd, { seconds: 2, size: 'tiny' }), ['duration resolution', 10]],
  ['short, beside input seconds', held('second', { ...hd, reserved: 60, videoSeconds: 5 }, { seconds: 1 }), ['duration', 20]],
  ['silence where sound was ordered', held('withAudio', loud, { audio: false }), ['audio', 40]],
  ['silence where none was', held('withAudio', { ...loud, audio: false, reserved: 40 }, {}), ['', 'all']],
  ['silent, short and small', held('withAudio', loud, { seconds: 2, size: '720p', audio: false }), ['duration resolution audio', 12]],
  ['silence where sound costs nothing', held('tokens', { ...hd, audio: true, reserved: 26 }, { audio: false }), ['audio', 'all']],
  ['short, by tokens, rounded up once', held('tokens', { ...hd, reserved: 26 }, { seconds: 3 }), ['duration', 16]],
  ['a clip as long as a shorter one', held('clips', long, { seconds: 6 }), ['duration', 20]],
  ['a clip between two', held('clips', long, { seconds: 9 }), ['duration', 20]],
  ['a clip shorter than any', held('clips', long, { seconds: 1 }), ['duration', 20]],
  [
    'a clip of the class below',
    held('clips', { ...long, seconds: 6, resolution: '1080p', reserved: 35 }, { size: '768p' }),
    ['resolution', 20],
  ],
  ['a long clip of the class below', held('clips', long, { size: '512p' }), ['resolution', 10]],
  [
    'a clip that never costs more than was reserved',
    held('clips', { ...long, resolution: '1080p', reserved: 15 }, { size: '768p' }),
    ['resolution', 'all'],
  ],
  ['a generation of any length', held('generation', { seconds: 10, resolution: '720p', reserved: 50 }, { seconds: 4 }), ['', 'all']],
  [
    'a generation that is small',
    held('generation', { seconds: 10, resolution: '1080p', reserved: 80 }, { size: '720p' }),
    ['resolution', 'all'],
  ],
  [
    'the length of a motion video that was rounded up',
    held('followed', { ...hd, reserved: 30, videoSeconds: 5 }, { seconds: 4.1 }),
    ['', 'all'],
  ],
  ['less than the motion video', held('followed', { ...hd, reserved: 30, videoSeconds: 5 }, { seconds: 2 }), ['duration', 12]],
])('%s', (_, result, expected) => expect(result).toEqual(expected))

test('an order of a gateway that names no prices is due whole', () => {
  const order = create(OrderSchema, { durationSeconds: 5, resolution: '720p', credits: 50n })
  const sides = { width: 320, height: 180, codedWidth: 320, codedHeight: 180 }
  const measured: Measured = { ...sides, durationMs: 1_000, frameRate: 24, videoCodec: 'h264', hasAudio: false }
  expect(priceDelivery(order, measured)).toEqual({ shortfalls: ['resolution'] })
})

const valuesOf = ({ fields }: { fields?: Record<string, unknown> }, field: string) =>
  (fields?.[field] as { values?: Record<string, unknown> } | undefined)?.values ?? {}

test('every size that a route asks for is of the class it is asked for', () => {
  const routes = Object.values(readRoutes([ownRoutes]).models).flat()
  const sent = routes.flatMap(route => {
    const [resolution, ...others] = Object.keys(valuesOf(route, 'resolution'))
    if (resolution === undefined || others.length > 0) return []
    return Object.entries(valuesOf(route, 'aspect_ratio')).flatMap(([aspectRatio, value]) => {
      const [, width, height] = /^(\d+)[x*](\d+)$/.exec(String(value)) ?? []
      return width && height ? [{ resolution, aspectRatio, width: Number(width), height: Number(height) }] : []
    })
  })
  expect(sent.length).toBeGreaterThan(80)
  for (const { resolution, aspectRatio, width, height } of sent) {
    const order = create(OrderSchema, { durationSeconds: 5, resolution, aspectRatio, credits: 50n })
    const measured = { width, height, codedWidth: width, codedHeight: height, durationMs: 5_000 }
    const delivered = { ...measured, frameRate: 24, videoCodec: 'h264', hasAudio: false }
    expect({ resolution, width, height, ...priceDelivery(order, delivered) }).toEqual({ resolution, width, height, shortfalls: [] })
  }
})
