import { readFile } from 'node:fs/promises'
import type { Sample } from '../child/sample'
import type { Tools } from '../child/tools'
import type { Probed } from '../movie/probe-movie'
import { cleanMovie } from './clean-movie'
import { cleanMp3 } from './clean-mp3'
import { cleanPicture } from './clean-picture'
import { cleanWav } from './clean-wav'
import type { CleanedPicture } from './picture/picture'
import { writeBuffers } from './write-buffers'

/** What a copy of a sound says of itself; a WAV has no frames, and nothing in front of its sound to trim. */
export type CleanedSound = { codec: string; sampleRate: number; channels: number; seconds: number; frameSeconds: number; trimmed: boolean }

/** What cleaning has learned of the copy, which is then held against it. */
export type Cleaned = { picture: CleanedPicture } | { sound: CleanedSound } | { movie: Probed }

/**
 * Writes our own copy of a downloaded file to `copyPath`: what is measured, stored and handed to providers from then on. Throws
 * Failure<RejectionCode> where nothing plain can be made of the file.
 */
export async function clean(tools: Tools, sample: Sample): Promise<Cleaned> {
  const { format } = sample
  if (format === 'jpeg' || format === 'png' || format === 'webp') return { picture: await cleanPicture(sample, format) }
  if (format === 'mp3' || format === 'wav') return { sound: await cleanSound(sample, format) }
  return { movie: await cleanMovie(tools, sample) }
}

/** Sounds are read whole: no card allows large ones. */
async function cleanSound({ path, copyPath }: Sample, format: 'mp3' | 'wav'): Promise<CleanedSound> {
  const bytes = await readFile(path)
  const { buffers, ...sound } =
    format === 'mp3' ? { codec: 'mp3', ...cleanMp3(bytes) } : { ...cleanWav(bytes), frameSeconds: 0, trimmed: true }
  await writeBuffers(copyPath, buffers)
  return sound
}
