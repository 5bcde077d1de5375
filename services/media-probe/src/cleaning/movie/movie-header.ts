import { reject } from '../../errors'
import type { FileView } from './file-view'

const moovBytesMax = 32 * 1024 * 1024
/** A 30 s video in one-frame fragments has about 4,000 boxes. */
const topBoxesMax = 20_000

/** The box `moov` and its offset in the file. */
export type MovieHeader = { at: number; moov: Buffer }

/**
 * The movie's header at any position; empty if there is none, which the demuxer rejects. Rejects a header too large to
 * search.
 */
export async function readHeader(file: FileView): Promise<MovieHeader> {
  let offset = 0
  for (let boxes = 0; boxes < topBoxesMax; boxes += 1) {
    const head = await file.read(offset, 16)
    if (head.length < 16) break
    const short = head.readUInt32BE(0)
    const bytes = short === 0 ? file.size - offset : short === 1 ? Number(head.readBigUInt64BE(8)) : short
    if (head.toString('latin1', 4, 8) === 'moov') {
      if (bytes > file.size - offset) throw reject('media_corrupt', { measured: 'a file that is cut short', limit: 'the whole file' })
      if (bytes > moovBytesMax) throw reject('media_too_large', { measured: `a header of ${bytes} bytes`, limit: `${moovBytesMax} bytes` })
      return { at: offset, moov: await file.read(offset, bytes) }
    }
    if (bytes < 8) break
    offset += bytes
  }
  return { at: offset, moov: Buffer.alloc(0) }
}
