import { reject } from '../errors'
import { findSound } from './wav/chunks'
import { codecOf, readSoundFormat, writeSoundFormat } from './wav/sound-format'

export type CleanWav = { buffers: Buffer[]; codec: string; sampleRate: number; channels: number; seconds: number }

/**
 * Copies only the sound of a WAV: `fmt ` and `data` under a new header. The length is measured, not read from the
 * header. Throws if the sound is truncated, compressed or contradictory.
 */
export function cleanWav(bytes: Buffer): CleanWav {
  const { format: at, data } = findSound(bytes)
  const format = readSoundFormat(bytes.subarray(at.offset, at.offset + at.bytes))
  const blockBytes = (format.channels * format.sampleBits) / 8
  const blocks = Math.floor(data.bytes / blockBytes)
  if (blocks === 0) throw reject('media_corrupt', { measured: 'a WAV without sound', limit: 'a WAV with sound in it' })
  const soundBytes = blocks * blockBytes
  const padding = Buffer.alloc(soundBytes % 2)
  const formatChunk = writeSoundFormat(format)
  const head = Buffer.alloc(12)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(4 + formatChunk.length + 8 + soundBytes + padding.length, 4)
  head.write('WAVE', 8, 'latin1')
  const dataHead = Buffer.alloc(8)
  dataHead.write('data', 0, 'latin1')
  dataHead.writeUInt32LE(soundBytes, 4)
  return {
    buffers: [head, formatChunk, dataHead, bytes.subarray(data.offset, data.offset + soundBytes), padding],
    codec: codecOf(format),
    sampleRate: format.sampleRate,
    channels: format.channels,
    seconds: blocks / format.sampleRate,
  }
}
