import { readFile } from 'node:fs/promises'
import type { Sample, Tools } from '../measuring/measured'
import type { Probed } from '../measuring/probe-movie'
import { cleanMovie } from './clean-movie'
import { cleanMp3 } from './clean-mp3'
import { cleanPicture } from './clean-picture'
import { cleanWav } from './clean-wav'
import type { CleanedPicture } from './picture/picture'
import { writeParts } from './write-parts'

/** What cleaning has learned of the copy, which is then held against it. */
export type Cleaned = { picture?: CleanedPicture; movie?: Probed }

/**
 * Writes our own copy of a downloaded file to `copyPath`: what is measured, stored and handed to makers from then on. Throws
 * Failure<RejectionCode> where nothing plain can be made of the file.
 */
export async function clean(tools: Tools, sample: Sample): Promise<Cleaned> {
  const { path, copyPath, format } = sample
  if (format === 'jpeg' || format === 'png' || format === 'webp') return { picture: await cleanPicture(sample, format) }
  // Sounds are read whole: no card allows large ones.
  if (format === 'mp3') await writeParts(copyPath, cleanMp3(await readFile(path)).parts)
  else if (format === 'wav') await writeParts(copyPath, cleanWav(await readFile(path)).parts)
  else return { movie: await cleanMovie(tools, sample) }
  return {}
}
