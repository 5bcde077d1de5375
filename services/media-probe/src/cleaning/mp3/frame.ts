/** kbit/s by index for layer III of MPEG 1 and MPEG 2/2.5. 0 is the free format, whose rate decoders must guess. */
const bitRates1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const bitRates2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const sampleRates1 = [44_100, 48_000, 32_000]

/** A frame's header. `tagAt`: where the sound starts, or a Xing, Info or LAME header instead. */
export type Frame = {
  bytes: number
  samples: number
  sampleRate: number
  channels: number
  bitRate: number
  version: number
  tagAt: number
}

/** The layer III frame at this offset, or undefined. It may extend past the buffer. */
export function readFrame(bytes: Buffer, offset: number): Frame | undefined {
  if (offset + 4 > bytes.length) return undefined
  const [second, third, fourth] = [bytes[offset + 1] ?? 0, bytes[offset + 2] ?? 0, bytes[offset + 3] ?? 0]
  if (bytes[offset] !== 0xff || (second & 0xe6) !== 0xe2) return undefined
  const version = (second >> 3) & 3
  const bitRate = bitRatesOf(version)[third >> 4]
  const rate = sampleRates1[(third >> 2) & 3]
  if (version === 1 || !bitRate || !rate) return undefined
  const sampleRate = version === 3 ? rate : version === 2 ? rate / 2 : rate / 4
  const channels = fourth >> 6 === 3 ? 1 : 2
  return {
    bytes: frameBytes(version, bitRate, sampleRate) + ((third >> 1) & 1),
    samples: samplesOf(version),
    ...{ sampleRate, channels, bitRate, version },
    tagAt: 4 + sideBytes(version, channels),
  }
}

/** Frame size without padding. */
export const frameBytes = (version: number, bitRate: number, sampleRate: number): number =>
  Math.floor(((samplesOf(version) / 8) * bitRate * 1000) / sampleRate)

export const bitRatesOf = (version: number): number[] => (version === 3 ? bitRates1 : bitRates2)

const samplesOf = (version: number) => (version === 3 ? 1152 : 576)

/** Size of the side information between header and sound. */
const sideBytes = (version: number, channels: number) => (version === 3 ? (channels === 1 ? 17 : 32) : channels === 1 ? 9 : 17)

/** Whether one decoder can play both in sequence: same MPEG version, sample rate and channel count. */
export const isSameFormat = (one: Frame, other: Frame): boolean =>
  one.version === other.version && one.sampleRate === other.sampleRate && one.channels === other.channels

/** A valid header except for bit rate 0, the free format. */
export const isFreeFormat = (bytes: Buffer, offset: number): boolean =>
  bytes[offset] === 0xff &&
  ((bytes[offset + 1] ?? 0) & 0xe6) === 0xe2 &&
  ((bytes[offset + 1] ?? 0) & 0x18) !== 0x08 &&
  ((bytes[offset + 2] ?? 0) & 0xf0) === 0 &&
  ((bytes[offset + 2] ?? 0) & 0x0c) !== 0x0c
