import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type FfmpegDeps, runFfmpeg } from './ffmpeg'

/** One second of black, made once: what load runs get in place of a render. */
export function instantClip(deps: FfmpegDeps & { scratchDir: string }): () => Promise<string> {
  let made: Promise<string> | undefined
  async function make(): Promise<string> {
    await mkdir(deps.scratchDir, { recursive: true })
    const source = ['-f', 'lavfi', '-i', 'color=black:size=128x72:rate=24', '-frames:v', '24']
    await runFfmpeg(
      deps,
      [...source, '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-f', 'mp4', 'instant.new'],
      deps.scratchDir,
      AbortSignal.timeout(30_000),
    )
    await rename(join(deps.scratchDir, 'instant.new'), join(deps.scratchDir, 'instant.mp4'))
    return join(deps.scratchDir, 'instant.mp4')
  }
  return () => {
    made ??= make().catch(error => {
      made = undefined
      throw error
    })
    return made
  }
}
