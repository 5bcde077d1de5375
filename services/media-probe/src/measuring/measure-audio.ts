import { readFile } from 'node:fs/promises'
import { reject } from '../errors'
import { checkDeclared, checkSeconds, rounded } from '../limits/check'
import { decode } from './children'
import type { FileView } from './file-view'
import type { Copy, Measured, Tools } from './measured'
import { inspectMp3 } from './mp3'
import { inspectWav } from './wav'

/** An encoder's lead-in and tail, which decoding trims: at most three MP3 frames, long ones at low rates, and 10 ms of rounding. */
const lengthToleranceSeconds = (frameSeconds: number) => Math.max(0.15, 3 * frameSeconds + 0.01)
/** One frame of MP3 at 44.1 kHz; WAV has none, but encoders cut at such frames. */
const usualFrameSeconds = 1152 / 44_100

export async function measureAudio(tools: Tools, copy: Copy, file: FileView): Promise<Measured> {
  const { seconds: header, frameSeconds } =
    copy.format === 'mp3' ? inspectMp3(await readFile(copy.path)) : { seconds: await inspectWav(file), frameSeconds: 0 }
  // Far off, it needs no decoding; near the edge, the decoded length decides.
  if (copy.limits.secondsMax > 0 && header > copy.limits.secondsMax + 1) checkSeconds(header, copy.limits)
  const { seconds } = await decode(tools, copy, { maps: ['0:a:0'], threads: 1 })
  if (Math.abs(seconds - header) > lengthToleranceSeconds(frameSeconds))
    throw reject('media_corrupt', { measured: `header ${rounded(header)} s, sound ${rounded(seconds)} s`, limit: 'equal lengths' })
  checkSeconds(seconds, copy.limits)
  checkDeclared(seconds, usualFrameSeconds, copy.declaredSeconds)
  return { format: copy.format, width: 0, height: 0, frameRate: 0, seconds }
}
