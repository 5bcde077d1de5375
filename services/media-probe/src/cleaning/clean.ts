import { readFile } from 'node:fs/promises'
import type { SourceFile } from '../child/source-file'
import type { Tools } from '../child/tools'
import { checkSize } from '../limits/check'
import type { ProbedMovie } from '../movie/probe-movie'
import { cleanJpeg } from './clean-jpeg'
import { cleanMovie } from './clean-movie'
import { cleanMp3 } from './clean-mp3'
import { cleanPng } from './clean-png'
import { cleanWav } from './clean-wav'
import { cleanWebp } from './clean-webp'
import type { CleanedPicture } from './picture/picture'
import { writeBuffers } from './write-buffers'

/** What a copy of a sound says of itself; a WAV has no frames, and nothing in front of its sound to trim. */
export type CleanedSound = { codec: string; sampleRate: number; channels: number; seconds: number; frameSeconds: number; trimmed: boolean }

/** What cleaning has learned of the copy, which is then held against it. */
export type Cleaned = { picture: CleanedPicture } | { sound: CleanedSound } | { movie: ProbedMovie }

/**
 * Writes our own copy of a downloaded file to `copyPath`: what is measured, stored and handed to providers from then on. Throws
 * Failure<RejectionCode> where nothing plain can be made of the file.
 */
export async function clean(tools: Tools, source: SourceFile): Promise<Cleaned> {
  const { format } = source
  if (format === 'jpeg' || format === 'png' || format === 'webp') return { picture: await cleanPicture(source, format) }
  if (format === 'mp3' || format === 'wav') return { sound: await cleanSound(source, format) }
  return { movie: await cleanMovie(tools, source) }
}

/** Sounds are read whole: no card allows large ones. */
async function cleanSound({ path, copyPath }: SourceFile, format: 'mp3' | 'wav'): Promise<CleanedSound> {
  const bytes = await readFile(path)
  const { buffers, ...sound } =
    format === 'mp3' ? { codec: 'mp3', ...cleanMp3(bytes) } : { ...cleanWav(bytes), frameSeconds: 0, trimmed: true }
  await writeBuffers(copyPath, buffers)
  return sound
}

const cleaners = { jpeg: cleanJpeg, png: cleanPng, webp: cleanWebp }

/**
 * Writes our own copy of a picture: its own image data, orientation and colour. It is read whole: a card allows 30 MiB, and no more
 * files are cleaned at once than there are cores.
 */
async function cleanPicture({ path, copyPath, limits, signal }: SourceFile, format: keyof typeof cleaners): Promise<CleanedPicture> {
  const checkDisplaySize = ({ width, height }: { width: number; height: number }) =>
    checkSize({ width, height, ratio: width / height }, limits)
  const { coded, orientation, buffers } = await cleaners[format](await readFile(path), { checkDisplaySize, signal })
  await writeBuffers(copyPath, buffers)
  return { coded, orientation }
}
