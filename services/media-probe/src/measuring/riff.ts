import { reject } from '../errors'
import type { FileView } from './file-view'

export type Chunk = { type: string; offset: number; bytes: number }

const chunksMax = 10_000

/** The chunks of a RIFF file, which must be exactly as long as it says, but for one byte of padding. */
export async function readChunks(file: FileView, name: string): Promise<Chunk[]> {
  const riff = await file.read(0, 12)
  const declared = riff.length < 12 ? -1 : riff.readUInt32LE(4) + 8
  if (declared !== file.size && declared + (declared % 2) !== file.size) {
    if (declared > 12 && declared < file.size)
      throw reject('media_type_unsupported', {
        measured: `${name} followed by ${file.size - declared} bytes`,
        limit: `a ${name} and nothing else`,
      })
    throw reject('media_corrupt', { measured: `${name} of ${file.size} bytes that declares ${declared}`, limit: 'its own length' })
  }
  const chunks: Chunk[] = []
  let offset = 12
  while (offset + 8 <= declared && chunks.length < chunksMax) {
    const head = await file.read(offset, 8)
    const bytes = head.length < 8 ? -1 : head.readUInt32LE(4)
    if (bytes < 0 || offset + 8 + bytes > file.size)
      throw reject('media_corrupt', { measured: `${name} with a chunk behind its end`, limit: 'whole chunks' })
    chunks.push({ type: head.toString('latin1', 0, 4), offset: offset + 8, bytes })
    offset += 8 + bytes + (bytes % 2)
  }
  return chunks
}
