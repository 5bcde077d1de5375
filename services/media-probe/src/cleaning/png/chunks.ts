import { crc32 } from 'node:zlib'

export type Chunk = { type: string; data: Buffer; end: number }

/** Undefined if the file ends inside the chunk. */
export function readChunk(bytes: Buffer, offset: number): Chunk | undefined {
  if (offset + 12 > bytes.length) return undefined
  const end = offset + 12 + bytes.readUInt32BE(offset)
  if (end > bytes.length) return undefined
  return { type: bytes.toString('latin1', offset + 4, offset + 8), data: bytes.subarray(offset + 8, end - 4), end }
}

export const checksumMatches = (bytes: Buffer, offset: number, end: number) =>
  crc32(bytes.subarray(offset + 4, end - 4)) === bytes.readUInt32BE(end - 4)

/** Encodes a chunk: length, type, data, checksum. */
export function writeChunk(type: string, ...data: Buffer[]): Buffer[] {
  const [head, sum] = [Buffer.alloc(8), Buffer.alloc(4)]
  head.writeUInt32BE(data.reduce((bytes, piece) => bytes + piece.length, 0))
  head.write(type, 4, 'latin1')
  sum.writeUInt32BE(data.reduce((value, piece) => crc32(piece, value), crc32(head.subarray(4))))
  return [head, ...data, sum]
}
