import { reject } from '../errors'
import type { FileView } from './file-view'
import { readChunks } from './riff'

const channelsMax = 8
const sampleRateMin = 8_000
const sampleRateMax = 192_000
/** PCM, floating point, and either in the extensible form. */
const plainEncodings = [1, 3, 0xfffe]

/** The length that a WAV's own header and data give, in seconds. Throws where they contradict each other. */
export async function inspectWav(file: FileView): Promise<number> {
  const chunks = await readChunks(file, 'WAV')
  const [format, data] = [chunks.filter(chunk => chunk.type === 'fmt '), chunks.filter(chunk => chunk.type === 'data')]
  if (format.length !== 1 || data.length !== 1 || !format[0] || !data[0]) throw broken('without exactly one format and one data chunk')
  const head = await file.read(format[0].offset, 16)
  if (head.length < 16) throw broken('with a short format chunk')
  const encoding = head.readUInt16LE(0)
  const channels = head.readUInt16LE(2)
  const sampleRate = head.readUInt32LE(4)
  const blockBytes = head.readUInt16LE(12)
  const sampleBits = head.readUInt16LE(14)
  if (!plainEncodings.includes(encoding))
    throw reject('media_type_unsupported', { measured: `WAV of encoding ${encoding}`, limit: 'PCM or float' })
  if (channels < 1 || channels > channelsMax) throw broken(`of ${channels} channels`)
  if (sampleRate < sampleRateMin || sampleRate > sampleRateMax) throw broken(`of ${sampleRate} samples a second`)
  if (![8, 16, 24, 32, 64].includes(sampleBits) || blockBytes !== (channels * sampleBits) / 8)
    throw broken(`with blocks of ${blockBytes} bytes`)
  if (data[0].bytes === 0) throw broken('without samples')
  return data[0].bytes / blockBytes / sampleRate
}

const broken = (words: string) => reject('media_corrupt', { measured: `WAV ${words}`, limit: 'a consistent WAV' })
