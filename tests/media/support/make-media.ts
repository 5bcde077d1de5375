import { join } from 'node:path'

/** Runs ffmpeg and returns the path of what it made. */
export async function makeMedia(folder: string, name: string, options: string[]): Promise<string> {
  const path = join(folder, name)
  const child = Bun.spawn(['ffmpeg', '-nostdin', '-v', 'error', '-y', ...options, path], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const complaint = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`ffmpeg made no ${name}: ${complaint}`)
  return path
}

/** The richer source rounds odd sides down without a word. */
const source = (width: number, height: number) => (width % 2 === 0 && height % 2 === 0 ? 'testsrc2' : 'testsrc')

export const makePicture = (folder: string, name: string, width: number, height: number) =>
  makeMedia(folder, name, ['-f', 'lavfi', '-i', `${source(width, height)}=size=${width}x${height}`, '-frames:v', '1'])

export type Clip = { width?: number; height?: number; seconds?: number; rate?: string; sound?: boolean; options?: string[] }

export const makeClip = (
  folder: string,
  name: string,
  { width = 640, height = 360, seconds = 3, rate = '30', sound = false, options = [] }: Clip = {},
) =>
  makeMedia(folder, name, [
    ...['-f', 'lavfi', '-t', String(seconds), '-i', `${source(width, height)}=size=${width}x${height}:rate=${rate}`],
    ...(sound ? ['-f', 'lavfi', '-t', String(seconds), '-i', 'sine=sample_rate=44100'] : []),
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', ...(sound ? ['-c:a', 'aac'] : []), ...options],
  ])

export const makeTone = (folder: string, name: string, seconds: number, options: string[] = []) =>
  makeMedia(folder, name, ['-f', 'lavfi', '-t', String(seconds), '-i', 'sine=sample_rate=44100', ...options])
