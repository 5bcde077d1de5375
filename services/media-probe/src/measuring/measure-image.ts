import { readFile, rm, writeFile } from 'node:fs/promises'
import type { CleanCopy } from '../child/source-file'
import type { Tools } from '../child/tools'
import { type CleanedPicture, displaySize } from '../cleaning/picture/picture'
import { readRiff } from '../cleaning/riff'
import { reject } from '../errors'
import { decodePicture } from './decode-picture'
import type { Measurement } from './measurement'

/** Decodes the copy of a picture. The decoded size must match its header. */
export async function measureImage(tools: Tools, copy: CleanCopy, { coded, orientation }: CleanedPicture): Promise<Measurement> {
  const pictures = copy.format === 'webp' ? await decodeWebp(tools, copy) : await decodePicture(tools, copy)
  const [decoded] = pictures
  if (!decoded || pictures.some(each => each.width !== coded.width || each.height !== coded.height))
    throw reject('media_corrupt', {
      measured: `header ${coded.width} × ${coded.height} px, picture ${decoded ? `${decoded.width} × ${decoded.height} px` : 'none'}`,
      limit: 'a true header',
    })
  return { format: copy.format, ...displaySize(coded, orientation), frameRate: 0, seconds: 0 }
}

/**
 * ffmpeg's decoder fills missing parts of a lossy WebP with gray and reports success. libvpx reports an error,
 * so it decodes the picture too, in an IVF container.
 */
async function decodeWebp(tools: Tools, copy: CleanCopy) {
  const lossy = readRiff(await readFile(copy.path), 'WebP').find(({ type }) => type === 'VP8 ')
  if (!lossy) return decodePicture(tools, copy)
  const path = `${copy.path}.ivf`
  try {
    await writeFile(path, [ivfHeader(lossy.data), lossy.data], { flag: 'wx' })
    return await decodePicture(tools, copy, path)
  } finally {
    await rm(path, { force: true })
  }
}

/** The file header and the header of its only frame. */
function ivfHeader(frame: Buffer): Buffer {
  const head = Buffer.alloc(32 + 12)
  head.write('DKIF\0\0\x20\0VP80', 'latin1')
  frame.copy(head, 12, 6, 10)
  head.writeUInt32LE(1, 16)
  head.writeUInt32LE(1, 20)
  head.writeUInt32LE(1, 24)
  head.writeUInt32LE(frame.length, 32)
  return head
}
