import { constants, copyFile, open, readFile } from 'node:fs/promises'
import type { Sample, Tools } from '../measuring/measured'
import { cleanMp3 } from './clean-mp3'
import { cleanWav } from './clean-wav'

/** Formats that are read whole, as no card allows large ones, and cut to what is kept. */
const cleaners: Partial<Record<Sample['format'], (bytes: Buffer) => { parts: Buffer[] }>> = { mp3: cleanMp3, wav: cleanWav }

/**
 * Writes our own copy of a downloaded file to `copyPath`: what is measured, stored and handed to makers from then on. Throws
 * Failure<RejectionCode> where nothing plain can be made of the file.
 */
export async function clean(_tools: Tools, { path, copyPath, format }: Sample): Promise<void> {
  const cleaner = cleaners[format]
  if (cleaner) await writeParts(copyPath, cleaner(await readFile(path)).parts)
  else await copyFile(path, copyPath, constants.COPYFILE_EXCL)
}

async function writeParts(path: string, parts: Buffer[]): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    for (const part of parts) await file.appendFile(part)
  } finally {
    await file.close()
  }
}
