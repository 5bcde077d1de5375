import { reject } from '../../errors'

/** The sample format of a WAV. `mask`: the speaker of each channel, 0 if unknown. */
export type SoundFormat = { float: boolean; channels: number; sampleRate: number; sampleBits: number; validBits: number; mask: number }

const channelsMax = 8
/** From telephone recorders to DXD. */
const sampleRateMin = 4_000
const sampleRateMax = 384_000

const pcm = 1
const ieeeFloat = 3
const extensible = 0xfffe
/** The GUID of numbered encodings, after their two bytes of number. */
const numberedGuid = Buffer.from('000000001000800000aa00389b71', 'hex')

/** Names of compressed encodings in WAV files, by number. */
const encodingNames: Record<number, string> = {
  2: 'Microsoft ADPCM',
  6: 'A-law',
  7: 'µ-law',
  17: 'IMA ADPCM',
  49: 'GSM',
  69: 'G.726',
  80: 'MPEG layer II',
  85: 'MP3',
  255: 'AAC',
  353: 'Windows Media',
  354: 'Windows Media',
  8192: 'Dolby AC-3',
  8193: 'DTS',
}

/** Parses a `fmt ` chunk. Throws `media_type_unsupported` if compressed, `media_corrupt` if contradictory. */
export function readSoundFormat(chunk: Buffer): SoundFormat {
  if (chunk.length < 16) throw inconsistentFault('with a short format chunk')
  const written = chunk.readUInt16LE(0)
  const isExtensible = written === extensible
  if (isExtensible && chunk.length < 40) throw inconsistentFault('with a short format chunk')
  const encoding = isExtensible ? chunk.readUInt16LE(24) : written
  if (isExtensible && !chunk.subarray(26, 40).equals(numberedGuid)) throw compressedFault('of an unknown encoding')
  if (encoding !== pcm && encoding !== ieeeFloat) throw compressedFault(`that holds ${encodingNames[encoding] ?? `encoding ${encoding}`}`)
  const [channels, sampleRate, blockBytes, bits] = [
    chunk.readUInt16LE(2),
    chunk.readUInt32LE(4),
    chunk.readUInt16LE(12),
    chunk.readUInt16LE(14),
  ]
  const sampleBits = Math.ceil(bits / 8) * 8
  if (channels < 1 || channels > channelsMax)
    throw inconsistentFault(`of ${channels} channels`, `1–${channelsMax} channels: export it as stereo`)
  if (sampleRate < sampleRateMin || sampleRate > sampleRateMax)
    throw inconsistentFault(`of ${sampleRate} samples a second`, `${sampleRateMin}–${sampleRateMax} samples a second: export it at 48000`)
  const allowedBits = encoding === pcm ? [8, 16, 24, 32] : [32, 64]
  if (!allowedBits.includes(sampleBits) || blockBytes !== (channels * sampleBits) / 8)
    throw inconsistentFault(`of ${bits} bits with blocks of ${blockBytes} bytes for ${channels} channels`)
  return {
    float: encoding === ieeeFloat,
    ...{ channels, sampleRate, sampleBits },
    validBits: isExtensible ? validBits(chunk.readUInt16LE(18), sampleBits) : bits,
    mask: isExtensible ? chunk.readUInt32LE(20) : (usualMasks[channels] ?? 0),
  }
}

/** ffmpeg reads valid bits as the sample size: partly filled bytes are written as full, which changes no value. */
const validBits = (stated: number, sampleBits: number) => (stated > sampleBits - 8 && stated <= sampleBits ? stated : sampleBits)

/** Front centre; front left and right. */
const usualMasks: Record<number, number> = { 1: 0x4, 2: 0x3 }

/** A plain `fmt ` chunk if possible, else an extensible one (over two channels or 16 bits, or floats). */
export function writeSoundFormat({ float, channels, sampleRate, sampleBits, validBits, mask }: SoundFormat): Buffer {
  const isPlain = !float && channels <= 2 && sampleBits <= 16 && validBits === sampleBits
  const chunk = Buffer.alloc(isPlain ? 24 : 48)
  const blockBytes = (channels * sampleBits) / 8
  chunk.write('fmt ', 0, 'latin1')
  chunk.writeUInt32LE(chunk.length - 8, 4)
  chunk.writeUInt16LE(isPlain ? pcm : extensible, 8)
  chunk.writeUInt16LE(channels, 10)
  chunk.writeUInt32LE(sampleRate, 12)
  chunk.writeUInt32LE(sampleRate * blockBytes, 16)
  chunk.writeUInt16LE(blockBytes, 20)
  chunk.writeUInt16LE(sampleBits, 22)
  if (isPlain) return chunk
  chunk.writeUInt16LE(22, 24)
  chunk.writeUInt16LE(validBits, 26)
  chunk.writeUInt32LE(mask, 28)
  chunk.writeUInt16LE(float ? ieeeFloat : pcm, 32)
  chunk.set(numberedGuid, 34)
  return chunk
}

/** ffmpeg's codec name, which it must report for the copy. */
export const codecOf = ({ float, sampleBits }: SoundFormat): string =>
  float ? `pcm_f${sampleBits}le` : sampleBits === 8 ? 'pcm_u8' : `pcm_s${sampleBits}le`

const inconsistentFault = (problem: string, limit = 'a WAV that agrees with itself: export it anew as 16-bit PCM') =>
  reject('media_corrupt', { measured: `a WAV ${problem}`, limit })

const compressedFault = (problem: string) =>
  reject('media_type_unsupported', {
    measured: `a WAV ${problem}`,
    limit: 'WAV of plain sound (PCM or float), or MP3: export it as 16-bit PCM',
  })
