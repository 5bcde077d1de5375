import { reject } from '../../errors'

/** Encodes a segment: marker, length, data. */
export function segment(marker: number, data: Buffer): Buffer[] {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return [head, data]
}

/** Size of the table at `offset`: Huffman codes (0xc4) or quantisation steps (0xdb). */
const tableBytes: Record<number, (data: Buffer, offset: number) => number> = {
  196: (data, offset) => 17 + data.subarray(offset + 1, offset + 17).reduce((sum, codes) => sum + codes, 0),
  219: (data, offset) => ((data[offset] ?? 0) >> 4 === 0 ? 65 : 129),
}

/** Truncates a segment to the length of its contents; following bytes are no picture data. */
export function exactData(marker: number, data: Buffer): Buffer {
  const bytes = exactBytes(marker, data)
  if (bytes > data.length) throw reject('media_corrupt', { measured: 'a JPEG with a cut table', limit: 'a whole JPEG' })
  return data.subarray(0, bytes)
}

function exactBytes(marker: number, data: Buffer): number {
  if (marker === 0xdd) return 2
  const bytesOf = tableBytes[marker]
  if (!bytesOf) return 6 + 3 * (data[5] ?? 0)
  let end = 0
  for (let next = bytesOf(data, 0); end < data.length && end + next <= data.length; next = bytesOf(data, end)) end += next
  return end === 0 ? data.length + 1 : end
}
