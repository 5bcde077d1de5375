import { readFile } from 'node:fs/promises'
import { reject } from '../errors'
import { checkSize } from '../limits/check'
import { ffprobe } from './children'
import type { FileView } from './file-view'
import { inspectJpeg } from './jpeg'
import type { Measured, Sample, Tools } from './measured'
import { inspectPng } from './png'
import { inspectWebp } from './webp'

type Decoded = { frames?: { width: number; height: number }[] }

/** The header's size is judged before anything is decoded; the decoder must then find the same. */
export async function measureImage(tools: Tools, sample: Sample, file: FileView): Promise<Measured> {
  const { width, height } = await inspect(sample, file)
  checkSize({ width, height, ratio: width / height }, sample.limits)
  const { frames = [] } = await ffprobe<Decoded>(tools, sample, [
    '-err_detect',
    'explode',
    '-show_frames',
    '-show_entries',
    'frame=width,height',
  ])
  const [frame] = frames
  if (!frame) throw reject('media_corrupt', { measured: 'a picture that can’t be decoded', limit: `a whole ${sample.format}` })
  // Behind a JPEG there may be a phone's second picture; any other still image is one.
  if (frames.length > 1 && sample.format !== 'jpeg')
    throw reject('media_type_unsupported', { measured: `${frames.length} pictures`, limit: 'a still image' })
  if (frame.width !== width || frame.height !== height)
    throw reject('media_corrupt', {
      measured: `header ${width} × ${height}, picture ${frame.width} × ${frame.height}`,
      limit: 'a true header',
    })
  return { format: sample.format, width, height, frameRate: 0, seconds: 0 }
}

/** JPEG and PNG are read whole: a card allows 30 MiB, and no more files are measured at once than there are cores. */
async function inspect({ format, path }: Sample, file: FileView) {
  if (format === 'jpeg') return inspectJpeg(await readFile(path))
  if (format === 'png') return inspectPng(await readFile(path))
  return inspectWebp(file)
}
