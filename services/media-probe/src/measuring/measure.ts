import type { CleanCopy, SourceFile } from '../child/source-file'
import type { Tools } from '../child/tools'
import { type Cleaned, clean } from '../cleaning/clean'
import { isRejection, OwnFault } from '../errors'
import { decodesWhole } from './decodes-whole'
import { measureAudio } from './measure-audio'
import { measureImage } from './measure-image'
import { measureVideo } from './measure-video'
import type { Measurement } from './measurement'

/**
 * Writes a clean copy of a downloaded file and measures the copy in a sandboxed child.
 * Throws Failure<RejectionCode> if the file is damaged, inconsistent or outside the limits, and OwnFault if only the
 * copy is damaged.
 */
export async function measure(tools: Tools, source: SourceFile): Promise<Measurement> {
  const cleaned = await clean(tools, source)
  await source.onCopy?.()
  try {
    return await measureCopy(tools, { ...source, path: source.copyPath }, cleaned)
  } catch (error) {
    const isDamaged = isRejection(error) && error.reason === 'media_corrupt'
    if (isDamaged && 'movie' in cleaned && (await decodesWhole(tools, source))) throw new OwnFault('copy', error)
    throw error
  }
}

const measureCopy = (tools: Tools, copy: CleanCopy, cleaned: Cleaned): Promise<Measurement> => {
  if ('picture' in cleaned) return measureImage(tools, copy, cleaned.picture)
  return 'movie' in cleaned ? measureVideo(tools, copy, cleaned.movie) : measureAudio(tools, copy, cleaned.sound)
}
