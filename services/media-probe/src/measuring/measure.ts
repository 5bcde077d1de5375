import type { Copy, Sample } from '../child/sample'
import type { Tools } from '../child/tools'
import { type Cleaned, clean } from '../cleaning/clean'
import { measureAudio } from './measure-audio'
import { measureImage } from './measure-image'
import { measureVideo } from './measure-video'
import type { Measured } from './measured'

/**
 * Makes our own copy of one downloaded file and measures that: its streams and every frame, by ffprobe and ffmpeg in a child kept apart.
 * Throws Failure<RejectionCode> where it is damaged, lies, or is outside the limits.
 */
export async function measure(tools: Tools, sample: Sample): Promise<Measured> {
  const cleaned = await clean(tools, sample)
  await sample.onCopy?.()
  return measureCopy(tools, { ...sample, path: sample.copyPath }, cleaned)
}

const measureCopy = (tools: Tools, copy: Copy, cleaned: Cleaned): Promise<Measured> => {
  if ('picture' in cleaned) return measureImage(tools, copy, cleaned.picture)
  return 'movie' in cleaned ? measureVideo(tools, copy, cleaned.movie) : measureAudio(tools, copy, cleaned.sound)
}
