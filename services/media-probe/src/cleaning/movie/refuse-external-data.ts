import { reject } from '../../errors'
import type { MovieHeader } from './movie-header'

const entriesMax = 100

/**
 * Rejects a movie whose data are in another file: the demuxer would read this file's bytes instead, or find no frames.
 */
export function refuseExternalData({ moov }: MovieHeader): void {
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
