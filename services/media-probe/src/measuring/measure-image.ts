import { readFile } from 'node:fs/promises'
import { reject } from '../errors'
import { checkSize } from '../limits/check'
import { ffprobe } from './children'
import type { FileView } from './file-view'
import { inspectJpeg } from './jpeg'
import type { Copy, Measured, Tools } from './measured'
import { inspectPng } from './png'
import { inspectWebp } from './webp'

type Decoded = { frames?: { width: number; height: number }[] }

/** The header's size is judged before anything is decoded; the decoder must then find the same. */
export async function measureImage(tools: Tools, copy: Copy, file: FileView): Promise<Measured> {
  const { width, height } = await inspect(copy, file)
  checkSize({ width, height, ratio: width / height }, copy.limits)
  const { frames = [] } = await ffprobe<Decoded>(tools, copy, [
    '-err_detect',
    'explode',
    '-show_frames',
    '-show_entries',
    'frame=width,height',
  ])
  const [frame] = frames
  if (!frame) throw reject('media_corrupt', { measured: 'a picture that can’t be decoded', limit: `a whole ${copy.format}` })
  // Behind a JPEG there may be a phone's second picture; any other still image is one.
  if (frames.length > 1 && copy.format !== 'jpeg')
    throw reject('media_type_unsupported', { measured: `${frames.length} pictures`, limit: 'a still image' })
  if (frame.width !== width || frame.height !== height)
    throw reject('media_corrupt', {
      measured: `header ${width} × ${height}, picture ${frame.width} × ${frame.height}`,
      limit: 'a true header',
    })
  return { format: copy.format, width, height, frameRate: 0, seconds: 0 }
}

/** JPEG and PNG are read whole: a card allows 30 MiB, and no more files are measured at once than there are cores. */
async function inspect({ format, path }: Copy, file: FileView) {
  if (format === 'jpeg') return inspectJpeg(await readFile(path))
  if (format === 'png') return inspectPng(await readFile(path))
  return inspectWebp(file)
}
