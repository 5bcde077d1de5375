import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const picture = ['-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=24:duration=2']
export const tone = ['-f', 'lavfi', '-i', 'sine=duration=2']
export const h264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p']

/** An MP4 that ffmpeg makes of its own sources. */
export async function makeFilm(...args: string[]): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'filmgate-film-'))
  try {
    const child = Bun.spawn(['ffmpeg', '-v', 'error', '-y', ...args, 'film.mp4'], { cwd: folder, stderr: 'pipe' })
    if ((await child.exited) !== 0) throw new Error(await child.stderr.text())
    return Buffer.from(await Bun.file(join(folder, 'film.mp4')).bytes())
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
