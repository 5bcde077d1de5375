import { readFile } from 'node:fs/promises'
import type { Sample } from '../child/sample'
import { checkSize } from '../limits/check'
import { cleanJpeg } from './clean-jpeg'
import { cleanPng } from './clean-png'
import { cleanWebp } from './clean-webp'
import type { CleanedPicture } from './picture/picture'
import { writeBuffers } from './write-buffers'

const cleaners = { jpeg: cleanJpeg, png: cleanPng, webp: cleanWebp }

/**
 * Writes our own copy of a picture: its own image data, orientation and colour. It is read whole: a card allows 30 MiB, and no more
 * files are cleaned at once than there are cores.
 */
export async function cleanPicture({ path, copyPath, limits, signal }: Sample, format: keyof typeof cleaners): Promise<CleanedPicture> {
  const judge = ({ width, height }: { width: number; height: number }) => checkSize({ width, height, ratio: width / height }, limits)
  const { coded, orientation, buffers } = await cleaners[format](await readFile(path), { judge, signal })
  await writeBuffers(copyPath, buffers)
  return { coded, orientation }
}
