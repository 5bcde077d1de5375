import { type Box, box, bytes, container, find, findAll, newMdat, rawBox, text, u16, u32 } from './boxes'

export type DataTrack = {
  handler: string
  /** Four letters of its sample description, and what stands in it. */
  format: string
  description?: Buffer
  samples: Buffer[]
  /** Length of each sample, in the movie's time scale. */
  sampleTicks: number
  mediaHeader?: Box
  name?: string
}

const identity = bytes(u32(0x10000), u32(0), u32(0), u32(0), u32(0x10000), u32(0), u32(0), u32(0), u32(0x40000000))

/** Adds a track that is neither picture nor sound, as cameras and phones write them by the dozen. */
export function addDataTrack(boxes: Box[], track: DataTrack): void {
  const moov = find(boxes, 'moov')
  const header = find(boxes, 'mvhd')
  const scale = header.body.readUInt32BE(12)
  const next = header.body.readUInt32BE(header.body.length - 4)
  header.body.writeUInt32BE(next + 1, header.body.length - 4)
  const data = newMdat(Buffer.concat(track.samples))
  boxes.splice(boxes.indexOf(moov), 0, data)
  const ticks = track.samples.length * track.sampleTicks
  const quickTime = boxes[0]?.type !== 'ftyp' || boxes[0].body.toString('latin1', 0, 4) === 'qt  '
  const name = track.name ?? ''
  const entry = rawBox(track.format, Buffer.alloc(6), u16(1), track.description ?? Buffer.alloc(0))
  moov.children?.push(
    container('trak', [
      box('tkhd', u32(15), u32(0), u32(0), u32(next), u32(0), u32(ticks), Buffer.alloc(8), Buffer.alloc(8), identity, u32(0), u32(0)),
      container('mdia', [
        box('mdhd', u32(0), u32(0), u32(0), u32(scale), u32(ticks), u16(0x55c4), u16(0)),
        box(
          'hdlr',
          u32(0),
          quickTime ? 'mhlr' : u32(0),
          track.handler,
          Buffer.alloc(12),
          quickTime ? [name.length] : [],
          name,
          quickTime ? [] : [0],
        ),
        container('minf', [
          track.mediaHeader ?? box('gmhd', rawBox('gmin', u32(0), u16(64), Buffer.alloc(6, 128), Buffer.alloc(4))),
          container('dinf', [box('dref', u32(0), u32(1), rawBox('url ', u32(1)))]),
          container('stbl', [
            box('stsd', u32(0), u32(1), entry),
            box('stts', u32(0), u32(1), u32(track.samples.length), u32(track.sampleTicks)),
            box('stsc', u32(0), u32(1), u32(1), u32(track.samples.length), u32(1)),
            box('stsz', u32(0), u32(0), u32(track.samples.length), ...track.samples.map(({ length }) => u32(length))),
            box('stco', u32(0), u32(1), u32(data.at)),
          ]),
        ]),
      ]),
    ]),
  )
}

/** An iPhone's timed metadata: one key, its values in boxes. */
export const timedMetadata = (key: string, count: number, sampleTicks: number): DataTrack => ({
  handler: 'meta',
  format: 'mebx',
  description: rawBox('keys', rawBox('\0\0\0\x01', rawBox('keyd', 'mdta', key), rawBox('dtyp', u32(0), u32(77)))),
  samples: Array.from({ length: count }, (_, at) => bytes(u32(16), u32(1), u32(at), u32(at * 7))),
  sampleTicks,
  name: 'Core Media Metadata',
})

/** GoPro's telemetry: a GPMF tree of accelerometer and GPS. */
export const goproTelemetry = (count: number, sampleTicks: number): DataTrack => ({
  handler: 'meta',
  format: 'gpmd',
  samples: Array.from({ length: count }, (_, at) =>
    bytes(
      'DEVC\0\x01\0\x34',
      'STRM\0\x01\0\x2c',
      'GPS5l\x14\0\x01',
      u32(512345678 + at),
      u32(-1234567),
      u32(87),
      u32(1),
      u32(2),
      'ACCLs\x06\0\x01',
      Buffer.alloc(8, at),
    ),
  ),
  sampleTicks,
  name: 'GoPro MET',
})

export const opaque = (handler: string, format: string, count: number, sampleTicks: number, name = ''): DataTrack => ({
  handler,
  format,
  samples: Array.from({ length: count }, (_, at) => Buffer.alloc(64, 65 + (at % 26))),
  sampleTicks,
  name,
})

export const timecode = (rate: number, ticks: number): DataTrack => ({
  handler: 'tmcd',
  format: 'tmcd',
  description: bytes(u32(0), u32(0), u32(rate * 1000), u32(1000), [rate, 0]),
  samples: [u32(90_000)],
  sampleTicks: ticks,
  mediaHeader: box(
    'gmhd',
    rawBox('gmin', u32(0), u16(64), Buffer.alloc(6, 128), Buffer.alloc(4)),
    rawBox('tmcd', rawBox('tcmi', u32(0), u16(0), u16(0), u16(12), Buffer.alloc(14), '\x05Arial')),
  ),
  name: 'TimeCodeHandler',
})

/** DJI's captions, and chapters of QuickTime: text that is shown at times. */
export const captions = (handler: string, format: string, lines: string[], sampleTicks: number): DataTrack => ({
  handler,
  format,
  description: Buffer.alloc(format === 'tx3g' ? 30 : 43),
  samples: lines.map(line => bytes(u16(line.length), line)),
  sampleTicks,
  mediaHeader:
    format === 'tx3g' ? box('nmhd', u32(0)) : box('gmhd', rawBox('gmin', u32(0), u16(64), Buffer.alloc(6, 128), Buffer.alloc(4))),
})

/** QuickTime's metadata of a movie: keys and values. */
export function addKeys(boxes: Box[], values: Record<string, string>): void {
  const keys = Object.keys(values)
  const handler = rawBox('hdlr', u32(0), u32(0), 'mdta', Buffer.alloc(13))
  const table = rawBox('keys', u32(0), u32(keys.length), ...keys.map(key => rawBox('mdta', key)))
  const list = rawBox(
    'ilst',
    ...keys.map((key, at) => rawBox(u32(at + 1).toString('latin1'), rawBox('data', u32(1), u32(0), text(values[key] ?? '')))),
  )
  find(boxes, 'moov').children?.push(box('meta', handler, table, list))
}

/** User data of a movie, replacing what the muxer wrote. */
export function setUserData(boxes: Box[], parts: Record<string, Buffer | string>): void {
  const moov = find(boxes, 'moov')
  moov.children = [...(moov.children ?? []).filter(({ type }) => type !== 'udta')]
  moov.children.push(box('udta', ...Object.entries(parts).map(([type, body]) => rawBox(type, body))))
}

/** ©-atoms of QuickTime: a length, a language, words. */
export const words = (line: string) => bytes(u16(line.length), u16(0x55c4), line)

const matrices: Record<number, (width: number, height: number) => number[]> = {
  0: () => [1, 0, 0, 1, 0, 0],
  90: (_, height) => [0, 1, -1, 0, height, 0],
  180: (width, height) => [-1, 0, 0, -1, width, height],
  270: width => [0, -1, 1, 0, 0, width],
}

/** Turns the picture as phones do, with the shift that keeps it in view. */
export function rotate(boxes: Box[], degrees: number, shifted = true): void {
  for (const track of findAll(boxes, 'trak')) {
    const header = find([track], 'tkhd').body
    const [width, height] = [header.readUInt32BE(76) / 65_536, header.readUInt32BE(80) / 65_536]
    if (width === 0) continue
    const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = matrices[degrees]?.(width, height) ?? []
    const move = shifted ? [x, y] : [0, 0]
    const fixed = [a, b, 0, c, d, 0, move[0] ?? 0, move[1] ?? 0].map(value => Math.round(value * 65_536))
    for (const [index, value] of fixed.entries()) header.writeInt32BE(value, 40 + index * 4)
  }
}

export function setBrands(boxes: Box[], major: string, compatible: string[], version = 0): void {
  const type = find(boxes, 'ftyp')
  type.body = bytes(major, u32(version), ...compatible)
}
