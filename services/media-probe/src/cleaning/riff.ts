import { reject } from '../errors'

export type RiffChunk = { type: string; data: Buffer }

const chunksMax = 100_000

/** The chunks of a RIFF file. Bytes after the declared length are ignored; a shorter file is truncated. */
export function readRiff(bytes: Buffer, name: string): RiffChunk[] {
  if (bytes.length < 12) throw brokenFault(`a ${name} of ${bytes.length} bytes`)
  const end = bytes.readUInt32LE(4) + 8
  // The padding byte of an odd length may be missing.
  if (end > bytes.length + (end % 2)) throw brokenFault(`a ${name} of ${bytes.length} bytes that says ${end}`)
  const chunks: RiffChunk[] = []
  for (let offset = 12; offset + 8 <= Math.min(end, bytes.length); ) {
    if (chunks.length === chunksMax) throw brokenFault(`a ${name} of more than ${chunksMax} parts`)
    const length = bytes.readUInt32LE(offset + 4)
    const data = bytes.subarray(offset + 8, offset + 8 + length)
    if (offset + 8 + length > end || data.length < length) throw brokenFault(`a ${name} with a part that goes on behind its end`)
    chunks.push({ type: bytes.toString('latin1', offset, offset + 4), data })
    offset += 8 + length + (length % 2)
  }
  return chunks

  function brokenFault(measured: string) {
    return reject('media_corrupt', { measured, limit: `a whole ${name}` })
  }
}
