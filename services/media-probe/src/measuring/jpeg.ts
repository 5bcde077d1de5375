import { reject } from '../errors'

export type Size = { width: number; height: number }

/** Phones append a second image (HDR gain map, depth) behind the first; more than this is something else. */
const imagesMax = 8
const markersMax = 10_000

/** Reads a JPEG's size and walks it to its end. Throws where it is cut, has two frames, or carries something behind its end. */
export function inspectJpeg(bytes: Buffer): Size {
  let offset = 0
  let size: Size | undefined
  for (let images = 0; ; images += 1) {
    const image = walkImage(bytes, offset)
    size ??= image.size
    offset = image.end
    if (isPadding(bytes.subarray(offset))) return size
    if (bytes[offset] !== 0xff || bytes[offset + 1] !== 0xd8 || images >= imagesMax) throw more(bytes.length - offset)
  }
}

function walkImage(bytes: Buffer, start: number): { size: Size; end: number } {
  let offset = start + 2
  let size: Size | undefined
  for (let markers = 0; markers < markersMax; markers += 1) {
    if (bytes[offset] !== 0xff) throw cut(offset)
    while (bytes[offset + 1] === 0xff) offset += 1
    const marker = bytes[offset + 1]
    if (marker === undefined) throw cut(offset)
    offset += 2
    if (marker === 0xd9) {
      if (!size) throw damaged('no frame header')
      return { size, end: offset }
    }
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) continue
    if (offset + 2 > bytes.length) throw cut(offset)
    const length = bytes.readUInt16BE(offset)
    if (length < 2 || offset + length > bytes.length) throw cut(offset)
    if (isFrame(marker)) {
      if (size || length < 8) throw damaged('two frame headers')
      size = { height: bytes.readUInt16BE(offset + 3), width: bytes.readUInt16BE(offset + 5) }
    }
    offset += length
    if (marker === 0xda) offset = skipScan(bytes, offset)
  }
  throw damaged('too many markers')
}

const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** To the next marker that is not a stuffed byte or a restart. */
function skipScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1]
    if (next === undefined) break
    if (next !== 0x00 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  throw cut(bytes.length)
}

const isPadding = (rest: Buffer) => rest.every(byte => byte === 0)

const cut = (offset: number) => reject('media_corrupt', { measured: `JPEG ends or breaks at byte ${offset}`, limit: 'a whole JPEG' })
const damaged = (what: string) => reject('media_corrupt', { measured: `JPEG with ${what}`, limit: 'a whole JPEG' })
const more = (bytes: number) =>
  reject('media_type_unsupported', { measured: `JPEG followed by ${bytes} bytes of something else`, limit: 'a JPEG and nothing else' })
