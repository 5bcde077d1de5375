import { bytes, u32 } from './boxes'

const u32le = (value: number) => u32(value).reverse()
const u24le = (value: number) => Buffer.from([value & 255, (value >> 8) & 255, (value >> 16) & 255])

export const piece = (type: string, data: Buffer) => bytes(type, u32le(data.length), data, Buffer.alloc(data.length % 2))
export const riff = (form: string, ...pieces: Buffer[]) => {
  const body = bytes(form, ...pieces)
  return bytes('RIFF', u32le(body.length), body)
}

export function readPieces(file: Buffer): { type: string; data: Buffer }[] {
  const pieces: { type: string; data: Buffer }[] = []
  for (let at = 12; at + 8 <= file.length; ) {
    const size = file.readUInt32LE(at + 4)
    pieces.push({ type: file.toString('latin1', at, at + 4), data: file.subarray(at + 8, at + 8 + size) })
    at += 8 + size + (size % 2)
  }
  return pieces
}

export type Extras = { profile?: Buffer | undefined; exif?: Buffer | undefined; xmp?: string | undefined; unknown?: Buffer[] }

/** The extended form of a still WebP: what it had, with profile, EXIF and XMP in the order of the format. */
export function extendWebp(file: Buffer, width: number, height: number, { profile, exif, xmp, unknown = [] }: Extras): Buffer {
  const old = readPieces(file)
  const image = old.filter(({ type }) => ['ALPH', 'VP8 ', 'VP8L'].includes(type))
  const lossless = image.find(({ type }) => type === 'VP8L')
  const alpha = image.some(({ type }) => type === 'ALPH') || ((lossless?.data[4] ?? 0) & 0x10) !== 0
  const flags = (profile ? 0x20 : 0) | (alpha ? 0x10 : 0) | (exif ? 0x08 : 0) | (xmp ? 0x04 : 0)
  return riff(
    'WEBP',
    piece('VP8X', bytes([flags, 0, 0, 0], u24le(width - 1), u24le(height - 1))),
    ...(profile ? [piece('ICCP', profile)] : []),
    ...image.map(({ type, data }) => piece(type, data)),
    ...(exif ? [piece('EXIF', exif)] : []),
    ...(xmp ? [piece('XMP ', Buffer.from(xmp))] : []),
    ...unknown,
  )
}
