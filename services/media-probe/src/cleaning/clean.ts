import { constants, copyFile } from 'node:fs/promises'
import type { Sample, Tools } from '../measuring/measured'

/**
 * Writes our own copy of a downloaded file to `copyPath`: what is measured, stored and handed to makers from then on. Throws
 * Failure<RejectionCode> where nothing plain can be made of the file.
 */
export function clean(_tools: Tools, { path, copyPath }: Sample): Promise<void> {
  return copyFile(path, copyPath, constants.COPYFILE_EXCL)
}
