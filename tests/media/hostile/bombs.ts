import { constants, deflateRawSync } from 'node:zlib'
import { chunk } from '../corpus/build/png'
import { corrupt, image, type Sample, text, unsupported } from './sample'

const mebibyte = 1_048_576
const adlerBase = 65_521

/** So many MiB of zeros as zlib packs them, without ever holding them: one packed MiB over and over. */
export function packedZeros(mebibytes: number): Buffer {
  const one = deflateRawSync(Buffer.alloc(mebibyte), { finishFlush: constants.Z_FULL_FLUSH })
  const bytes = mebibytes * mebibyte
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE((((bytes % adlerBase) << 16) | 1) >>> 0)
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array.from({ length: mebibytes }, () => one), Buffer.from([3, 0]), sum])
}

const stuffed = (png: Buffer, ...chunks: Buffer[]) => Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)])

/** Pictures of a few MiB that hold gigabytes for whoever unpacks them. What is not a pixel is never unpacked, pixels are counted. */
export function bombs(png: Buffer): Sample[] {
  const gibibyte = packedZeros(1_024)
  const header = png.subarray(0, 33)
  const end = chunk('IEND', Buffer.alloc(0))
  const any = ['verified', ...corrupt, ...unsupported]
  return [
    image(
      'PNG with ten texts of 1 GiB each',
      stuffed(png, ...Array.from({ length: 10 }, () => chunk('zTXt', Buffer.concat([text('c\0\0'), gibibyte])))),
      any,
    ),
    image('PNG with an iTXt of 1 GiB', stuffed(png, chunk('iTXt', Buffer.concat([text('c\0\x01\0\0\0'), gibibyte]))), any),
    image('PNG with a profile of 1 GiB', stuffed(png, chunk('iCCP', Buffer.concat([text('p\0\0'), gibibyte]))), any),
    image('PNG whose pixels are 28 GiB', Buffer.concat([header, chunk('IDAT', packedZeros(28_672)), end]), corrupt),
    image('PNG whose pixels are 28 GiB in 3,000 chunks', Buffer.concat([header, ...pieces(packedZeros(28_672), 10_000), end]), corrupt),
  ]
}

const pieces = (data: Buffer, size: number) =>
  Array.from({ length: Math.ceil(data.length / size) }, (_, at) => chunk('IDAT', data.subarray(at * size, (at + 1) * size)))
