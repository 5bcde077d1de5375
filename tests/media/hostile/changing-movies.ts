import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeMedia } from '../support/make-media'
import { corrupt, type Sample, unsupported, video } from './sample'

const refused = ['media_dimensions', ...corrupt, ...unsupported]
const sizes: [width: number, height: number, frames: number][] = [
  [128, 128, 30],
  [1280, 256, 30],
  [640, 480, 30],
  [5768, 2304, 3],
  [7680, 4096, 2],
]

/** Films whose picture changes its size midway: judged by their first size alone, they would be within every limit. */
export async function changingMovies(folder: string): Promise<Sample[]> {
  const first = await pictures(folder, 320, 320, 60)
  const samples: Sample[] = []
  for (const [width, height, frames] of sizes) {
    const then = await pictures(folder, width, height, frames)
    for (const container of ['mp4', 'mov']) {
      for (const [name, parts] of [
        ['then', [first, then]],
        ['for a moment', [first, then, first]],
      ] as const) {
        const joined = join(folder, `joined-${width}-${name.length}.h264`)
        await writeFile(joined, Buffer.concat(parts))
        const path = await makeMedia(folder, `changing-${width}-${name.length}.${container}`, [
          '-framerate',
          '30',
          '-f',
          'h264',
          '-i',
          joined,
          '-c',
          'copy',
        ])
        const shown = parts.length === 3 ? 120 + frames : 60 + frames
        samples.push(video(`${container} of 320², ${name} ${width} × ${height}`, Bun.file(path), refused, Math.ceil(shown / 30)))
      }
    }
  }
  return samples
}

/** Pictures with their parameters among them, as broadcasts carry them. */
async function pictures(folder: string, width: number, height: number, frames: number): Promise<Buffer> {
  const source = ['-f', 'lavfi', '-i', `testsrc2=size=${width}x${height}:rate=30`, '-frames:v', String(frames)]
  return readFile(
    await makeMedia(folder, `part-${width}.h264`, [
      ...source,
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-bf',
      '0',
      '-pix_fmt',
      'yuv420p',
    ]),
  )
}
