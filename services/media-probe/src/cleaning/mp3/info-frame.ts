import { bitRatesOf, type Frame, frameBytes } from './frame'

/** Samples of encoder padding before and after the sound. */
export type Trim = { delay: number; padding: number }

/** The contents of a header frame without sound. */
export type InfoFrame = { frames: number | undefined; trim: Trim | undefined }

/** Encoders whose delay and padding most players apply, as ffmpeg does. */
const trustedEncoders = ['LAME', 'Lavf', 'Lavc']

/**
 * Reads a Xing, Info or VBRI header; undefined if the frame is sound. Protected frames may have it after the checksum.
 */
export function readInfoFrame(bytes: Buffer, offset: number, { bytes: length, tagAt }: Frame): InfoFrame | undefined {
  const frame = bytes.subarray(offset, offset + length)
  const textAt = (at: number) => frame.toString('latin1', at, at + 4)
  if (textAt(36) === 'VBRI' && frame.length >= 54) return { frames: frame.readUInt32BE(50), trim: undefined }
  const at = [tagAt, tagAt + 2].find(place => ['Xing', 'Info'].includes(textAt(place)))
  if (at === undefined || at + 8 > frame.length) return undefined
  const flags = frame.readUInt32BE(at + 4)
  const lameAt = at + 8 + (flags & 1 ? 4 : 0) + (flags & 2 ? 4 : 0) + (flags & 4 ? 100 : 0) + (flags & 8 ? 4 : 0)
  const hasTrim = trustedEncoders.includes(textAt(lameAt)) && lameAt + 24 <= frame.length
  return {
    frames: flags & 1 && at + 12 <= frame.length ? frame.readUInt32BE(at + 8) : undefined,
    trim: hasTrim ? { delay: frame.readUIntBE(lameAt + 21, 3) >> 12, padding: frame.readUIntBE(lameAt + 21, 3) & 0xfff } : undefined,
  }
}

const tocEntries = 100
/** Xing or Info, flags, frames, bytes, table, quality. */
const xingBytes = 4 + 4 + 4 + 4 + tocEntries + 4
const lameBytes = 36

/**
 * Writes a header frame with counts and encoder padding. Without a trim it names no encoder, because players
 * trim for known ones.
 */
export function writeInfoFrame(header: Buffer, first: Frame, frames: Frame[], trim: Trim | undefined): Buffer {
  const { bytes: length, index } = infoFrameSize(first)
  const frame = Buffer.alloc(length)
  // No checksum, padding or private bits.
  frame.set([0xff, (header[1] ?? 0) | 1, (index << 4) | ((header[2] ?? 0) & 0x0c), (header[3] ?? 0) & 0xc3])
  const at = first.tagAt
  const variable = frames.some(({ bitRate }) => bitRate !== first.bitRate)
  const soundBytes = frames.reduce((sum, { bytes }) => sum + bytes, 0)
  frame.write(variable ? 'Xing' : 'Info', at, 'latin1')
  frame.writeUInt32BE(0b1111, at + 4)
  frame.writeUInt32BE(frames.length, at + 8)
  frame.writeUInt32BE(length + soundBytes, at + 12)
  frame.set(seekTable(frames, length, length + soundBytes), at + 16)
  if (trim) {
    const lameAt = at + xingBytes
    frame.write('Lavf', lameAt, 'latin1')
    frame.writeUIntBE((trim.delay << 12) | trim.padding, lameAt + 21, 3)
    frame.writeUInt32BE(length + soundBytes, lameAt + 28)
    frame.writeUInt16BE(crc16(frame.subarray(0, lameAt + lameBytes - 2)), lameAt + lameBytes - 2)
  }
  return frame
}

/** The first frame's bit rate, or the lowest one whose frames are large enough. */
function infoFrameSize({ version, sampleRate, bitRate, tagAt }: Frame): { bytes: number; index: number } {
  const sizes = bitRatesOf(version).map(rate => frameBytes(version, rate, sampleRate))
  const fits = (index: number) => (sizes[index] ?? 0) >= tagAt + xingBytes + lameBytes
  const own = bitRatesOf(version).indexOf(bitRate)
  const index = fits(own) ? own : sizes.findIndex((_, other) => fits(other))
  return { bytes: sizes[index] ?? 0, index }
}

/** The seek table: the position of each hundredth of the time, in 256ths of the bytes. */
function seekTable(frames: Frame[], leadBytes: number, allBytes: number): number[] {
  const table: number[] = []
  let before = leadBytes
  for (const [index, { bytes }] of frames.entries()) {
    while (table.length < tocEntries && Math.floor((table.length * frames.length) / tocEntries) <= index)
      table.push(Math.floor((before * 256) / allBytes))
    before += bytes
  }
  return table
}

/** CRC-16 as in LAME: polynomial 0x8005, least bit first, from 0. */
function crc16(bytes: Buffer): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1
  }
  return crc
}
