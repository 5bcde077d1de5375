import { type Cleaned, clean } from '../cleaning/clean'
import { measureAudio } from './measure-audio'
import { measureImage } from './measure-image'
import { measureVideo } from './measure-video'
import type { Copy, Measured, Sample, Tools } from './measured'

/**
 * Makes our own copy of one downloaded file and measures that: its streams and every frame, by ffprobe and ffmpeg in a child kept apart.
 * Throws Failure<RejectionCode> where it is damaged, lies, or is outside the limits.
 */
export async function measure(tools: Tools, sample: Sample): Promise<Measured> {
  const cleaned = await clean(tools, sample)
  await sample.onCopy?.()
  return measureCopy(tools, { ...sample, path: sample.copyPath }, cleaned)
}

const measureCopy = (tools: Tools, copy: Copy, { picture, movie }: Cleaned): Promise<Measured> => {
  if (picture) return measureImage(tools, copy, picture)
  return movie ? measureVideo(tools, copy, movie) : measureAudio(tools, copy)
}
