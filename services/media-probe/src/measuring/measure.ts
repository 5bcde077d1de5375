import type { CleanCopy, SourceFile } from '../child/source-file'
import type { Tools } from '../child/tools'
import { type Cleaned, clean } from '../cleaning/clean'
import { measureAudio } from './measure-audio'
import { measureImage } from './measure-image'
import { measureVideo } from './measure-video'
import type { Measurement } from './measurement'

/**
 * Makes our own copy of one downloaded file and measures that: its streams and every frame, by ffprobe and ffmpeg in a child kept apart.
 * Throws Failure<RejectionCode> where it is damaged, lies, or is outside the limits.
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
