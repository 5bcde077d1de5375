const id3v1Bytes = 128
const enhancedTagBytes = 227
/** Size of an ID3v2 header and of its optional footer. */
const id3v2HeadBytes = 10
const apeFooterBytes = 32
/** Lyrics3 has its length at the end: five digits, or six in version 2, and a word. */
const lyricsBytesMax = 1_000_000

/** Size of the tag at this offset: ID3v2, ID3v1, APE with a header, or Lyrics3; 0 if there is none. */
export function tagBytes(bytes: Buffer, offset: number): number {
  const ascii = bytes.toString('latin1', offset, offset + 11)
  if (ascii.startsWith('ID3')) return id3v2Bytes(bytes, offset)
  if (ascii.startsWith('3DI')) return id3v2HeadBytes
  if (ascii.startsWith('TAG+')) return enhancedTagBytes
  if (ascii.startsWith('TAG')) return id3v1Bytes
  if (ascii.startsWith('APETAGEX')) return apeBytes(bytes, offset)
  if (ascii === 'LYRICSBEGIN') return lyricsBytes(bytes, offset)
  return 0
}

/** The size has seven bits per byte. A footer repeats the header. */
function id3v2Bytes(bytes: Buffer, offset: number): number {
  const head = bytes.subarray(offset, offset + id3v2HeadBytes)
  if (head.length < id3v2HeadBytes || (head[3] ?? 0) > 4 || head.subarray(6).some(byte => byte > 0x7f)) return 0
  const size = head.subarray(6).reduce((sum, byte) => (sum << 7) | byte, 0)
  return size + id3v2HeadBytes + ((head[5] ?? 0) & 0x10 ? id3v2HeadBytes : 0)
}

/** The size counts items and footer, not the header. A footer alone ends items that were already skipped. */
function apeBytes(bytes: Buffer, offset: number): number {
  if (offset + apeFooterBytes > bytes.length) return 0
  const isHeader = ((bytes[offset + 23] ?? 0) & 0x20) !== 0
  return apeFooterBytes + (isHeader ? bytes.readUInt32LE(offset + 12) : 0)
}

function lyricsBytes(bytes: Buffer, offset: number): number {
  const within = bytes.subarray(offset, offset + lyricsBytesMax)
  const ends = ['LYRICS200', 'LYRICSEND'].map(tag => within.indexOf(tag, 0, 'latin1')).filter(at => at !== -1)
  return ends.length === 0 ? 0 : Math.min(...ends) + 'LYRICS200'.length
}
