import { reject } from '../errors'
import type { FileView } from './file-view'

export type Box = { type: string; data: Buffer }

const topBoxesMax = 20_000
const childBoxesMax = 1_000
const moovBytesMax = 32 * 1024 * 1024
/** What may stand at the top of a file; anything else is another format hiding behind a movie. */
const topTypes = 'ftyp styp moov moof mfra mdat free skip wide pnot uuid meta sidx ssix prft emsg udta pdin'.split(' ')

/** Walks the top of the file, box by box to its exact end, and reads its one moov. Fragmented is a movie that has fragments, whatever it says. */
export async function readMoov(file: FileView): Promise<{ moov: Box; fragmented: boolean }> {
  let moov: { offset: number; bytes: number } | undefined
  let fragmented = false
  let offset = 0
  for (let boxes = 0; offset < file.size; boxes += 1) {
    if (boxes >= topBoxesMax) throw broken('of too many boxes')
    const { type, headerBytes, bytes } = await readHead(file, offset)
    if (!topTypes.includes(type)) throw broken('followed by something else')
    if (bytes < headerBytes || offset + bytes > file.size) throw broken(`cut within its ${type} box`)
    fragmented ||= type === 'moof'
    if (type === 'moov') {
      if (moov) throw broken('with two headers')
      moov = { offset: offset + headerBytes, bytes: bytes - headerBytes }
    }
    offset += bytes
  }
  if (!moov) throw broken('without a header')
  if (moov.bytes > moovBytesMax) throw broken(`with a header of ${moov.bytes} bytes`)
  return { moov: { type: 'moov', data: await file.read(moov.offset, moov.bytes) }, fragmented }
}

async function readHead(file: FileView, offset: number): Promise<{ type: string; headerBytes: number; bytes: number }> {
  const head = await file.read(offset, 16)
  if (head.length < 8) throw broken('cut within a box head')
  const short = head.readUInt32BE(0)
  const type = head.toString('latin1', 4, 8)
  if (short === 0) return { type, headerBytes: 8, bytes: file.size - offset }
  if (short !== 1) return { type, headerBytes: 8, bytes: short }
  return { type, headerBytes: 16, bytes: head.length < 16 ? 0 : Number(head.readBigUInt64BE(8)) }
}

/** The boxes directly within a container; nobody here recurses further than the containers it names. */
export function children({ type, data }: Box): Box[] {
  const boxes: Box[] = []
  let offset = 0
  while (offset + 8 <= data.length) {
    const bytes = data.readUInt32BE(offset)
    // QuickTime may end a container with zeros. A box of size 0 goes on to its container's end, and no writer needs one.
    if (bytes === 0 && data.subarray(offset).every(byte => byte === 0)) break
    if (bytes < 8 || offset + bytes > data.length || boxes.length >= childBoxesMax) throw broken(`with a broken ${type} box`)
    boxes.push({ type: data.toString('latin1', offset + 4, offset + 8), data: data.subarray(offset + 8, offset + bytes) })
    offset += bytes
  }
  return boxes
}

const broken = (words: string) => reject('media_corrupt', { measured: `MP4 ${words}`, limit: 'one whole, self-contained movie' })
