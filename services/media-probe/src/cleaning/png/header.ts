import { reject } from '../../errors'
import type { Size } from '../picture/picture'

export type PngHeader = Size & { colour: number; bitsPerPixel: number; interlaced: boolean }

/** By colour type: samples per pixel, and permitted bits per sample. */
const kinds: Record<number, { samples: number; depths: number[] }> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
}

export function readPngHeader(header: Buffer): PngHeader {
  if (header.length !== 13) throw brokenFault('header')
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [depth = 0, colour = 0, compression, filter, interlace = 0] = header.subarray(8)
  const kind = kinds[colour]
  if (!kind?.depths.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1) throw brokenFault('header')
  return { width, height, colour, bitsPerPixel: kind.samples * depth, interlaced: interlace === 1 }
}

/** Adam7: the start and the steps of each pass. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

export type Pass = { rows: number; rowBytes: number }

/** The rows that the header promises, each with its filter byte. */
export function rowsOf({ width, height, bitsPerPixel, interlaced }: PngHeader): Pass[] {
  const rowBytes = (pixels: number) => 1 + Math.ceil((pixels * bitsPerPixel) / 8)
  if (!interlaced) return [{ rows: height, rowBytes: rowBytes(width) }]
  return passes
    .map(([x, y, stepX, stepY]) => ({ columns: Math.ceil((width - x) / stepX), rows: Math.ceil((height - y) / stepY) }))
    .filter(({ columns, rows }) => columns > 0 && rows > 0)
    .map(({ columns, rows }) => ({ rows, rowBytes: rowBytes(columns) }))
}

const brokenFault = (part: string) => reject('media_corrupt', { measured: `a PNG with a broken ${part}`, limit: 'a whole PNG' })
