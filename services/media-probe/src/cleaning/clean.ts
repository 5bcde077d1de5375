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

/** The sound in the copy. A WAV has no frames and no padding. */
export type CleanedSound = { codec: string; sampleRate: number; channels: number; seconds: number; frameSeconds: number; trimmed: boolean }

/** What the cleaner found; measuring compares the copy with it. */
export type Cleaned = { picture: CleanedPicture } | { sound: CleanedSound } | { movie: ProbedMovie }

/**
 * Writes the clean copy of a downloaded file to `copyPath`, which is then measured, stored and sent to providers.
 * Throws Failure<RejectionCode> if the file can't be cleaned.
 */
export async function clean(tools: Tools, source: SourceFile): Promise<Cleaned> {
  const { format } = source
  if (format === 'jpeg' || format === 'png' || format === 'webp') return { picture: await cleanPicture(source, format) }
  if (format === 'mp3' || format === 'wav') return { sound: await cleanSound(source, format) }
  return { movie: await cleanMovie(tools, source) }
}

/** Reads the file whole: all cards' limits for sounds are small. */
async function cleanSound({ path, copyPath }: SourceFile, format: 'mp3' | 'wav'): Promise<CleanedSound> {
  const bytes = await readFile(path)
  const { buffers, ...sound } =
    format === 'mp3' ? { codec: 'mp3', ...cleanMp3(bytes) } : { ...cleanWav(bytes), frameSeconds: 0, trimmed: true }
  await writeBuffers(copyPath, buffers)
  return sound
}

const cleaners = { jpeg: cleanJpeg, png: cleanPng, webp: cleanWebp }

/**
 * Writes the clean copy of a picture: image data, orientation and colour. Reads it whole: cards allow 30 MiB at most,
 * and as many files are cleaned at once as there are cores.
 */
async function cleanPicture({ path, copyPath, limits, signal }: SourceFile, format: keyof typeof cleaners): Promise<CleanedPicture> {
  const checkDisplaySize = ({ width, height }: { width: number; height: number }) =>
    checkSize({ width, height, ratio: width / height }, limits)
  const { coded, orientation, buffers } = await cleaners[format](await readFile(path), { checkDisplaySize, signal })
  await writeBuffers(copyPath, buffers)
  return { coded, orientation }
}
