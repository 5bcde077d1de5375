import { reject } from '../errors'

/** kbit/s by index, MPEG 1 and MPEG 2/2.5, layer III. */
const bitRates1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const bitRates2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const sampleRates1 = [44_100, 48_000, 32_000]
const tagBytesMax = 4 * 1024 * 1024

type Frame = { bytes: number; samples: number; sampleRate: number }

/**
 * The length of all MP3 frames in seconds (with the encoder's padding, which decoding may trim), and that of one. Throws where frames don't follow
 * each other to the end, or a Xing, Info or VBRI header counts others than there are.
 */
export function inspectMp3(bytes: Buffer): { seconds: number; frameSeconds: number } {
  const start = tagEnd(bytes)
  const end = bytes.length - trailerBytes(bytes)
  const first = readFrame(bytes, start)
  if (!first) throw broken('has no frame where one should begin')
  let frames = 0
  let offset = start
  while (offset < end) {
    const frame = readFrame(bytes, offset)
    if (!frame) {
      if (bytes.subarray(offset, end).every(byte => byte === 0)) break
      throw broken(`breaks at byte ${offset}`)
    }
    if (offset + frame.bytes > end) throw broken('is cut within its last frame')
    if (frame.sampleRate !== first.sampleRate) throw broken('changes its sample rate')
    frames += 1
    offset += frame.bytes
  }
  const claimed = claimedFrames(bytes.subarray(start, start + first.bytes))
  if (claimed !== undefined) {
    frames -= 1
    if (Math.abs(claimed - frames) > 1)
      throw reject('media_corrupt', { measured: `MP3 header counts ${claimed} frames, the file holds ${frames}`, limit: 'a true header' })
  }
  return { seconds: (frames * first.samples) / first.sampleRate, frameSeconds: first.samples / first.sampleRate }
}

function readFrame(bytes: Buffer, offset: number): Frame | undefined {
  if (offset + 4 > bytes.length) return undefined
  const [sync, second, third] = [bytes[offset] ?? 0, bytes[offset + 1] ?? 0, bytes[offset + 2] ?? 0]
  if (sync !== 0xff || (second & 0xe6) !== 0xe2) return undefined
  const version = (second >> 3) & 3
  const bitRate = (version === 3 ? bitRates1 : bitRates2)[third >> 4]
  const rate = sampleRates1[(third >> 2) & 3]
  if (version === 1 || !bitRate || !rate) return undefined
  const sampleRate = version === 3 ? rate : version === 2 ? rate / 2 : rate / 4
  const samples = version === 3 ? 1152 : 576
  return { bytes: Math.floor(((samples / 8) * bitRate * 1000) / sampleRate) + ((third >> 1) & 1), samples, sampleRate }
}

/** Where the ID3v2 tag ends; its size has seven bits a byte. */
function tagEnd(bytes: Buffer): number {
  if (bytes.toString('latin1', 0, 3) !== 'ID3') return 0
  const size = [6, 7, 8, 9].reduce((sum, at) => (sum << 7) | ((bytes[at] ?? 0) & 0x7f), 0)
  if (size > tagBytesMax) throw broken(`has a tag of ${size} bytes`)
  return size + 10 + ((bytes[5] ?? 0) & 0x10 ? 10 : 0)
}

/** ID3v1 is the last 128 bytes; an APE tag ends with its own length. */
function trailerBytes(bytes: Buffer): number {
  const id3 = bytes.toString('latin1', bytes.length - 128, bytes.length - 125) === 'TAG' ? 128 : 0
  const footer = bytes.length - id3 - 32
  if (footer < 0 || bytes.toString('latin1', footer, footer + 8) !== 'APETAGEX') return id3
  const size = bytes.readUInt32LE(footer + 12)
  return size > footer ? id3 : id3 + size + ((bytes[footer + 23] ?? 0) & 0x80 ? 32 : 0)
}

/** The number of frames that a Xing, Info or VBRI header in the first frame promises. */
function claimedFrames(frame: Buffer): number | undefined {
  const xing = ['Xing', 'Info'].map(tag => frame.indexOf(tag, 4, 'latin1')).find(at => at !== -1 && at <= 40)
  if (xing !== undefined && xing + 12 <= frame.length) return frame.readUInt32BE(xing + 4) & 1 ? frame.readUInt32BE(xing + 8) : undefined
  if (frame.toString('latin1', 36, 40) === 'VBRI' && frame.length >= 54) return frame.readUInt32BE(50)
  return undefined
}

const broken = (words: string) => reject('media_corrupt', { measured: `MP3 ${words}`, limit: 'whole MP3 frames' })
