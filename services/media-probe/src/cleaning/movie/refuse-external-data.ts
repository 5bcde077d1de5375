import { reject } from '../../errors'
import type { FileView } from './file-view'

const moovBytesMax = 32 * 1024 * 1024
/** A 30 s video in one-frame fragments has about 4,000 boxes. */
const topBoxesMax = 20_000
const entriesMax = 100

/**
 * Rejects a movie whose data are in another file: the demuxer would read this file's bytes instead, or find no frames.
 * A header too large to search is rejected too.
 */
export async function refuseExternalData(file: FileView): Promise<void> {
  const moov = await readMoov(file)
  for (let at = moov.indexOf('dref', 0, 'latin1'); at !== -1; at = moov.indexOf('dref', at + 4, 'latin1')) {
    // After the type: version, flags, count, then entries of size, type, version and flags; flag 1 means "in this
    // file".
    let entry = at + 12
    for (let left = at + 12 <= moov.length ? Math.min(moov.readUInt32BE(at + 8), entriesMax) : 0; left > 0; left -= 1) {
      if (!/^(?:url |urn |alis|rsrc)$/.test(moov.toString('latin1', entry + 4, entry + 8)) || entry + 12 > moov.length) break
      if (((moov[entry + 11] ?? 0) & 1) === 0)
        throw reject('media_corrupt', { measured: 'a movie whose data are in another file', limit: 'one self-contained movie' })
      entry += moov.readUInt32BE(entry)
    }
  }
}

/** The movie's header at any position; empty if there is none, which the demuxer rejects. */
async function readMoov(file: FileView): Promise<Buffer> {
  let offset = 0
  for (let boxes = 0; boxes < topBoxesMax; boxes += 1) {
    const head = await file.read(offset, 16)
    if (head.length < 16) break
    const short = head.readUInt32BE(0)
    const bytes = short === 0 ? file.size - offset : short === 1 ? Number(head.readBigUInt64BE(8)) : short
    if (head.toString('latin1', 4, 8) === 'moov') {
      if (bytes > file.size - offset) throw reject('media_corrupt', { measured: 'a file that is cut short', limit: 'the whole file' })
      if (bytes > moovBytesMax) throw reject('media_too_large', { measured: `a header of ${bytes} bytes`, limit: `${moovBytesMax} bytes` })
      return file.read(offset, bytes)
    }
    if (bytes < 8) break
    offset += bytes
  }
  return Buffer.alloc(0)
}
