import type { CleanCopy, SourceFile } from '../child/source-file'
import type { Tools } from '../child/tools'
import { type Cleaned, clean } from '../cleaning/clean'
import { measureAudio } from './measure-audio'
import { measureImage } from './measure-image'
import { measureVideo } from './measure-video'
import type { Measurement } from './measurement'

/**
 * Writes a clean copy of a downloaded file and measures the copy in a sandboxed child.
 * Throws Failure<RejectionCode> if the file is damaged, inconsistent or outside the limits.
 */
export async function measure(tools: Tools, source: SourceFile): Promise<Measurement> {
  const cleaned = await clean(tools, source)
  await source.onCopy?.()
  return measureCopy(tools, { ...source, path: source.copyPath }, cleaned)
}

const measureCopy = (tools: Tools, copy: CleanCopy, cleaned: Cleaned): Promise<Measurement> => {
  if ('picture' in cleaned) return measureImage(tools, copy, cleaned.picture)
  return 'movie' in cleaned ? measureVideo(tools, copy, cleaned.movie) : measureAudio(tools, copy, cleaned.sound)
}
