import { reject } from '../errors'
import type { FileView } from './file-view'
import type { Size } from './jpeg'
import { readChunks } from './riff'

const animationFlag = 0x02

/** Reads a WebP's size. Throws where it is animated, or holds no image or several. */
export async function inspectWebp(file: FileView): Promise<Size> {
  const chunks = await readChunks(file, 'WebP')
  const extended = chunks.find(chunk => chunk.type === 'VP8X')
  const flags = extended ? ((await file.read(extended.offset, 1))[0] ?? 0) : 0
  if (flags & animationFlag || chunks.some(chunk => chunk.type === 'ANIM' || chunk.type === 'ANMF'))
    throw reject('media_type_unsupported', { measured: 'an animated WebP', limit: 'a still image' })
  const images = chunks.filter(chunk => chunk.type === 'VP8 ' || chunk.type === 'VP8L')
  const [image] = images
  if (!image || images.length > 1) throw reject('media_corrupt', { measured: `WebP with ${images.length} images`, limit: 'one image' })
  const head = await file.read(image.offset, 10)
  if (head.length < 10) throw reject('media_corrupt', { measured: 'WebP cut short', limit: 'a whole WebP' })
  if (image.type === 'VP8L') {
    const bits = head.readUInt32LE(1)
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
  }
  return { width: head.readUInt16LE(6) & 0x3fff, height: head.readUInt16LE(8) & 0x3fff }
}
