import { writeFile } from 'node:fs/promises'
import type { Copy } from '../corpus/judge/judge-movie'
import { runTool } from '../corpus/judge/run-tool'
import { type Presentation, play } from './play'
import type { TrimRecipe } from './trim'

const similarityMin = 0.99
const roundingSeconds = 0.002
const sampleRate = 8_000
/** A frame of AAC at 44.1 kHz. */
const soundFrameSeconds = 1_024 / 44_100
const correlationMin = 0.8

/** What is wrong with the copy of a trimmed clip; `remuxed` demands that its frames are the client's own. */
export async function judgeTrim({ path, source: sent, known, media }: Copy, { remuxed, reference }: TrimRecipe): Promise<string[]> {
  const source = reference ? `${sent}.played.mp4` : sent
  if (reference) await writeFile(source, reference)
  const [shown, copied, unlisted] = [await play(source), await play(path), await playUnlisted(path)]
  const faults: string[] = []
  const expect = (holds: boolean, words: string) => void (holds || faults.push(words))
  expect(copied.hashes.length === shown.hashes.length, `${copied.hashes.length} frames, a player shows ${shown.hashes.length}`)
  expect(unlisted === copied.hashes.length, `${unlisted} frames without the edit list`)
  for (const [name, seconds] of [
    ['copied', copied.seconds],
    ['measured', media.seconds],
  ] as const)
    expect(
      Math.abs(seconds - shown.seconds) <= known.frameSeconds + roundingSeconds,
      `${seconds} s ${name}, a player shows ${shown.seconds} s`,
    )
  const same = copied.hashes.join() === shown.hashes.join()
  if (remuxed) expect(same, 'encoded again, though it is cut at a key frame')
  if (!same) {
    const least = await leastSimilarity(path, source, shown.firstAt - known.frameSeconds / 4)
    expect(least >= similarityMin, `SSIM ${least}`)
  }
  expect(media.width === known.width && media.height === known.height, `${media.width} × ${media.height} measured`)
  if (known.sound) faults.push(...(await compareSound(path, source, shown)))
  return faults
}

async function playUnlisted(path: string): Promise<number> {
  const { out } = await runTool([
    ...['ffmpeg', '-nostdin', '-v', 'error', '-ignore_editlist', '1', '-i', path, '-map', '0:v:0'],
    ...['-fps_mode', 'passthrough', '-f', 'framecrc', '-'],
  ])
  return out.split('\n').filter(line => line.startsWith('0,')).length
}

/** Of the least similar frame. */
async function leastSimilarity(path: string, source: string, from: number): Promise<number> {
  const filter = `[0:v]setpts=N[copy];[1:v]select='gte(t,${from})',setpts=N[shown];[copy][shown]ssim=stats_file=-`
  const { out } = await runTool([
    ...['ffmpeg', '-nostdin', '-v', 'error', '-copyts', '-noautorotate', '-i', path, '-noautorotate', '-i', source],
    ...['-lavfi', filter, '-fps_mode', 'passthrough', '-f', 'null', '-'],
  ])
  const values = [...out.matchAll(/All:([0-9.]+)/g)].map(([, value]) => Number(value))
  return values.length ? Math.min(...values) : 0
}

/** The sound is a rising tone, so that it sounds alike at one position only. Compares a second of its middle. */
async function compareSound(path: string, source: string, { firstAt, seconds }: Presentation): Promise<string[]> {
  const [wanted, audible] = await Promise.all([listen(source, firstAt), listen(path, 0)])
  const to = Math.min(seconds, wanted.length / sampleRate) - soundFrameSeconds
  const faults =
    Math.abs(audible.length / sampleRate - Math.min(seconds, wanted.length / sampleRate)) > 0.1
      ? [`${audible.length} samples audible of ${wanted.length}`]
      : []
  const from = Math.max(0, Math.floor((to / 2 - 0.5) * sampleRate))
  const lagMax = Math.ceil(soundFrameSeconds * sampleRate)
  let best = 0
  for (let lag = -lagMax; lag <= lagMax; lag += 1) best = Math.max(best, correlation(wanted, audible, from + lagMax, lag))
  return best >= correlationMin ? faults : [...faults, `sound is elsewhere: correlation ${best}`]
}

/** Mono samples from a time on, with silence where there is no sound. */
async function listen(path: string, from: number): Promise<Int16Array> {
  const child = Bun.spawn(
    [
      ...['ffmpeg', '-nostdin', '-v', 'error', '-copyts', '-i', path, '-map', '0:a:0', '-ac', '1', '-ar', String(sampleRate)],
      ...['-af', `aresample=async=1:min_hard_comp=0.02:first_pts=0,atrim=start=${Math.max(0, from)},asetpts=PTS-${Math.max(0, from)}/TB`],
      ...['-f', 's16le', '-'],
    ],
    { stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' },
  )
  const bytes = await new Response(child.stdout).arrayBuffer()
  return new Int16Array(bytes, 0, bytes.byteLength >> 1)
}

function correlation(one: Int16Array, other: Int16Array, from: number, lag: number): number {
  let [both, first, second] = [0, 0, 0]
  for (let at = from; at < from + sampleRate; at += 1) {
    const [a, b] = [one[at] ?? 0, other[at + lag] ?? 0]
    both += a * b
    first += a * a
    second += b * b
  }
  return both / Math.sqrt(first * second || 1)
}
