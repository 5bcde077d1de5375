import { existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sample } from './sample-name'

const renders = new Map<string, Promise<string>>()

/** The path of the sample's file, made once by ffmpeg and kept in the folder. */
export function renderSample(folder: string, sample: Sample): Promise<string> {
  const path = join(folder, 'made', sample.file)
  const begun = renders.get(path)
  if (begun) return begun
  const render = existsSync(path) ? Promise.resolve(path) : make(path, sample).finally(() => renders.delete(path))
  renders.set(path, render)
  return render
}

async function make(path: string, sample: Sample): Promise<string> {
  await mkdir(join(path, '..'), { recursive: true })
  const unfinished = `${path}.${crypto.randomUUID().slice(0, 8)}.${sample.format}`
  const command = ['ffmpeg', '-nostdin', '-v', 'error', '-y', ...inputs(sample), ...encoder(sample), unfinished]
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' })
  const complaint = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`ffmpeg made no ${sample.file}: ${complaint}`)
  await rename(unfinished, path)
  return path
}

function inputs({ name, format, width, height, framesPerSecond, seconds }: Sample): string[] {
  const seed = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7)
  const tone = ['-f', 'lavfi', '-t', String(seconds), '-i', `sine=frequency=${220 + seed}:sample_rate=44100`]
  if (format === 'mp3' || format === 'wav') return tone
  const picture = [
    '-f',
    'lavfi',
    ...(seconds > 0 ? ['-t', String(seconds)] : []),
    '-i',
    `testsrc2=size=${width}x${height}:rate=${framesPerSecond},hue=h=${seed}`,
  ]
  return seconds > 0 ? [...picture, ...tone] : [...picture, '-frames:v', '1']
}

function encoder({ format }: Sample): string[] {
  if (format === 'mp4' || format === 'mov')
    return ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-shortest', '-movflags', '+faststart']
  return format === 'jpg' ? ['-q:v', '3'] : []
}
