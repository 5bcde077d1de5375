import { crc32, deflateSync } from 'node:zlib'
import { bytes, u32 } from './boxes'

export function chunk(type: string, ...parts: (Buffer | string | number[])[]): Buffer {
  const data = bytes(...parts)
  const body = bytes(type, data)
  return bytes(u32(data.length), body, u32(crc32(body)))
}

export type Png = {
  width: number
  height: number
  /** PNG's own numbers: 0 grey, 2 colour, 3 palette, 4 grey and alpha, 6 colour and alpha. */
  colour: 0 | 2 | 3 | 4 | 6
  depth: number
  interlaced?: boolean
  before?: Buffer[]
  after?: Buffer[]
  idatBytes?: number
  filter?: number
}

const samples = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** A PNG of slopes, in any of the format's forms. */
export function makePng({
  width,
  height,
  colour,
  depth,
  interlaced = false,
  before = [],
  after = [],
  idatBytes = 8_192,
  filter = 0,
}: Png): Buffer {
  const rows: Buffer[] = []
  for (const [x0, y0, dx, dy] of interlaced ? passes : ([[0, 0, 1, 1]] as const))
    for (let y = y0; y < height; y += dy) if (x0 < width) rows.push(row({ width, colour, depth }, x0, dx, y, filter))
  const packed = deflateSync(Buffer.concat(rows))
  const pixels = Array.from({ length: Math.ceil(packed.length / idatBytes) }, (_, at) =>
    chunk('IDAT', packed.subarray(at * idatBytes, (at + 1) * idatBytes)),
  )
  const palette = colour === 3 ? [chunk('PLTE', Buffer.from(Array.from({ length: 3 * 2 ** depth }, (_, at) => (at * 37) % 256)))] : []
  const header = chunk('IHDR', u32(width), u32(height), [depth, colour, 0, 0, interlaced ? 1 : 0])
  return bytes(Buffer.from('89504e470d0a1a0a', 'hex'), header, ...before, ...palette, ...pixels, ...after, chunk('IEND'))
}

function row(
  { width, colour, depth }: { width: number; colour: Png['colour']; depth: number },
  x0: number,
  dx: number,
  y: number,
  filter: number,
): Buffer {
  const count = Math.ceil((width - x0) / dx)
  const perPixel = samples[colour] * depth
  const line = Buffer.alloc(1 + Math.ceil((count * perPixel) / 8))
  for (let at = 0; at < count; at += 1) {
    const x = x0 + at * dx
    for (let sample = 0; sample < samples[colour]; sample += 1) {
      const value = Math.floor(((x * (sample + 1) + y * 2) % 256) * (2 ** depth / 256))
      const bit = at * perPixel + sample * depth
      if (depth === 16) line.writeUInt16BE(value, 1 + bit / 8)
      else line[1 + (bit >> 3)] = (line[1 + (bit >> 3)] ?? 0) | (value << (8 - depth - (bit & 7)))
    }
  }
  if (filter !== 1) return line
  const [step, filtered] = [Math.max(1, perPixel >> 3), Buffer.from(line)]
  filtered[0] = 1
  for (let at = line.length - 1; at > step; at -= 1) filtered[at] = ((line[at] ?? 0) - (line[at - step] ?? 0)) & 255
  return filtered
}
