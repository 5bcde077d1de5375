import { crc32 } from 'node:zlib'
import { reject } from '../errors'
import type { Size } from './jpeg'

const chunksMax = 100_000
/** A text or profile larger than this is no part of a picture; compressed, it may inflate a thousandfold. */
const ancillaryBytesMax = 4 * 1024 * 1024
const compressedBytesMax = 1024 * 1024
const compressedChunks = ['zTXt', 'iTXt', 'iCCP']

/** Reads a PNG's size and walks its chunks, checksums and all. Throws where it is cut, animated, stuffed or followed by something. */
export function inspectPng(bytes: Buffer): Size {
  let offset = 8
  let size: Size | undefined
  for (let chunks = 0; chunks < chunksMax; chunks += 1) {
    if (offset + 12 > bytes.length) throw broken(`ends at byte ${bytes.length}`)
    const length = bytes.readUInt32BE(offset)
    const type = bytes.toString('latin1', offset + 4, offset + 8)
    const end = offset + 12 + length
    if (end > bytes.length) throw broken(`ends at byte ${bytes.length}`)
    if (crc32(bytes.subarray(offset + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) throw broken(`has a wrong checksum at byte ${offset}`)
    if (chunks === 0) size = header(type, bytes.subarray(offset + 8, end - 4))
    if (type === 'acTL') throw reject('media_type_unsupported', { measured: 'an animated PNG', limit: 'a still image' })
    if (!['IDAT', 'PLTE'].includes(type) && length > (compressedChunks.includes(type) ? compressedBytesMax : ancillaryBytesMax))
      throw broken(`has a ${type.replace(/[^A-Za-z]/g, '?')} chunk of ${length} bytes`)
    offset = end
    if (type === 'IEND') break
  }
  if (!size || offset === 8) throw broken('has no header')
  if (!bytes.subarray(offset).every(byte => byte === 0))
    throw reject('media_type_unsupported', { measured: `PNG followed by ${bytes.length - offset} bytes`, limit: 'a PNG and nothing else' })
  return size
}

function header(type: string, data: Buffer): Size {
  if (type !== 'IHDR' || data.length !== 13) throw broken('has no header')
  return { width: data.readUInt32BE(0), height: data.readUInt32BE(4) }
}

const broken = (words: string) => reject('media_corrupt', { measured: `PNG ${words}`, limit: 'a whole PNG' })
