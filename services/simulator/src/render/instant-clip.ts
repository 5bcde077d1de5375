import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { FrameSize } from '../generation/frame-size'
import { type FfmpegDeps, runFfmpeg } from './ffmpeg'
import { pictureEncoder, secondSize, type Tracks } from './tracks'

export type Clip = { seconds: number; size: FrameSize; sound: boolean; tracks: Tracks }
export type InstantClip = (clip: Clip) => Promise<string>

/** Few enough that the largest clip is made in a moment. */
const frameRate = 2
/** A large HEVC clip takes some seconds of a processor, and many times that on a busy machine. */
const makeTimeoutMs = 120_000

/** Black, and silence where there is a sound track, made once for each kind of clip: what load runs get in place of a render. */
export function instantClip(deps: FfmpegDeps & { scratchDir: string }): InstantClip {
  const made = new Map<string, Promise<string>>()
  async function make(name: string, { seconds, size, sound, tracks }: Clip): Promise<string> {
    await mkdir(deps.scratchDir, { recursive: true })
    const black = ['-f', 'lavfi', '-i', `color=black:size=${size.width}x${size.height}:rate=${frameRate}:duration=${seconds}`]
    const silence = ['-f', 'lavfi', '-i', 'anullsrc=r=44100:cl=stereo']
    await runFfmpeg(
      deps,
      [
        ...(tracks.picture ? black : []),
        ...(sound ? silence : []),
        ...(tracks.picture ? mapOf('0:v', tracks.second === 'picture') : []),
        ...(sound ? mapOf(`${tracks.picture ? 1 : 0}:a`, tracks.second === 'sound') : []),
        ...(tracks.picture ? pictureEncoder(tracks) : []),
        ...(tracks.second === 'picture' ? ['-s:v:1', secondSize] : []),
        ...(sound ? ['-c:a', 'aac', '-b:a', '32k'] : []),
        ...['-t', String(seconds), '-f', 'mp4', `${name}.new`],
      ],
      deps.scratchDir,
      AbortSignal.timeout(makeTimeoutMs),
    )
    await rename(join(deps.scratchDir, `${name}.new`), join(deps.scratchDir, `${name}.mp4`))
    return join(deps.scratchDir, `${name}.mp4`)
  }
  return clip => {
    const { seconds, size, sound, tracks } = clip
    const name = `instant-${seconds}-${size.width}x${size.height}${sound ? '-sound' : ''}${tracksName(tracks)}`
    const making =
      made.get(name) ??
      make(name, clip).catch(error => {
        made.delete(name)
        throw error
      })
    made.set(name, making)
    return making
  }
}

const mapOf = (stream: string, twice: boolean): string[] => ['-map', stream, ...(twice ? ['-map', stream] : [])]

const tracksName = ({ picture, hevc, second }: Tracks): string =>
  `${picture ? '' : '-only'}${hevc ? '-hevc' : ''}${second ? `-second-${second}` : ''}`
