import { reject } from '../../errors'

export type Chunk = { type: string; offset: number; bytes: number }

/** Before the sound; broadcast recorders write about ten. */
const chunksMax = 256
/** Longer than any accepted file: writers that can't know the length write such placeholders. */
const unknownLengthMin = 0x7fff_0000
/** A size may exceed the file by this: some writers count their own header. */
const overcountBytesMax = 128

/** The `fmt ` chunk of a WAV and the sound after it. Chunks after the sound are ignored. */
export function findSound(bytes: Buffer): { format: Chunk; data: Chunk } {
  const isLong = ['RF64', 'BW64'].includes(bytes.toString('latin1', 0, 4))
  let format: Chunk | undefined
  let longData: number | undefined
  let offset = 12
  for (let count = 0; count < chunksMax && offset + 8 <= bytes.length; count += 1) {
    const chunk = { type: bytes.toString('latin1', offset, offset + 4), offset: offset + 8, bytes: bytes.readUInt32LE(offset + 4) }
    if (chunk.type === 'data') {
      if (!format) throw brokenFault('without a word on its sound before it')
      return { format, data: soundOf(bytes, chunk, longData) }
    }
    if (chunk.offset + chunk.bytes > bytes.length) throw brokenFault(`that ends within its ${JSON.stringify(chunk.type)} part`)
    if (chunk.type === 'fmt ' && format) throw brokenFault('that describes its sound twice')
    if (chunk.type === 'fmt ') format = chunk
    if (chunk.type === 'ds64' && isLong && chunk.bytes >= 24) longData = Number(bytes.readBigUInt64LE(chunk.offset + 8))
    if (isLong && longData === undefined) break
    offset = nextChunkOffset(bytes, chunk)
  }
  if (isLong && longData === undefined)
    throw reject('media_type_unsupported', { measured: 'an RF64 without its lengths', limit: 'WAV or MP3: export it as WAV' })
  throw brokenFault('without sound')
}

/** The chunk's stated length, or the rest of the file if its writer didn't know it. */
function soundOf(bytes: Buffer, { type, offset, bytes: statedBytes }: Chunk, longData: number | undefined): Chunk {
  const left = bytes.length - offset
  const length = statedBytes === 0xffff_ffff && longData !== undefined ? longData : statedBytes
  if (length === 0 && endsWithChunks(bytes, offset)) throw brokenFault('without sound')
  if (length === 0 || length >= unknownLengthMin) return { type, offset, bytes: left }
  if (length > left + overcountBytesMax)
    throw reject('media_corrupt', {
      measured: `a WAV that breaks off after ${left} of ${length} bytes of sound`,
      limit: 'the whole file: upload it again',
    })
  return { type, offset, bytes: Math.min(length, left) }
}

/** Odd chunks have a padding byte, which some writers omit. */
function nextChunkOffset(bytes: Buffer, { offset, bytes: length }: Chunk): number {
  const end = offset + length
  return length % 2 === 1 && !isChunkType(bytes, end + 1) && isChunkType(bytes, end) ? end : end + (length % 2)
}

const isChunkType = (bytes: Buffer, offset: number) => /^[A-Za-z0-9_ ]{4}$/.test(bytes.toString('latin1', offset, offset + 4))

/** Whether only chunks follow up to the end of the file, so there is no uncounted sound. */
function endsWithChunks(bytes: Buffer, from: number): boolean {
  let at = from
  for (let count = 0; count < chunksMax && at + 8 <= bytes.length && isChunkType(bytes, at); count += 1)
    at = nextChunkOffset(bytes, { type: '', offset: at + 8, bytes: bytes.readUInt32LE(at + 4) })
  return at >= bytes.length
}

const brokenFault = (problem: string) =>
  reject('media_corrupt', { measured: `a WAV ${problem}`, limit: 'a whole WAV: export it anew as 16-bit PCM, or send MP3' })
