import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { reject } from '../errors'
import type { CpuBudget } from './cpu-budget'
import type { Copy, Tools } from './measured'
import { type ChildOutcome, runChild } from './run-child'
import { sandboxed } from './sandbox'

/** A film of half a minute lists some four thousand packets in half a megabyte. */
const outputBytesMax = 16 * 1024 * 1024

/** The demuxer is forced from the magic bytes and may open nothing but this file: a playlist in disguise fetches nothing. */
const inputOptions = {
  jpeg: ['-f', 'jpeg_pipe'],
  png: ['-f', 'png_pipe'],
  webp: ['-f', 'webp_pipe'],
  mp4: ['-f', 'mov', '-ignore_editlist', '1', '-enable_drefs', '0', '-use_absolute_path', '0'],
  mov: ['-f', 'mov', '-ignore_editlist', '1', '-enable_drefs', '0', '-use_absolute_path', '0'],
  mp3: ['-f', 'mp3'],
  wav: ['-f', 'wav'],
}

/** Larger than any file that passes its limits; a header that says more is refused before a pixel is drawn. */
const pixelsMax = 5_760 * 5_760

const quiet = ['-v', 'error', '-hide_banner', '-protocol_whitelist', 'file,pipe', '-max_pixels', String(pixelsMax)]

/** Runs ffprobe on the copy and reads its JSON. */
export async function ffprobe<T>(tools: Tools, copy: Copy, options: string[]): Promise<T> {
  const command = [tools.ffprobe, ...quiet, ...inputOptions[copy.format], ...options, '-of', 'json=c=1', '-i', `file:${copy.path}`]
  const { output } = await run(tools, copy, command)
  try {
    return JSON.parse(output)
  } catch (cause) {
    throw reject(
      'media_corrupt',
      { measured: 'a file that can’t be read', limit: `a whole ${copy.format}` },
      'ffprobe printed no JSON',
      cause,
    )
  }
}

/** Decodes the copy to its end and throws the pictures away; returns what ffmpeg counted. */
export async function decode(
  tools: Tools,
  copy: Copy,
  { maps, threads }: { maps: string[]; threads: number },
): Promise<{ frames: number; seconds: number }> {
  const command = [
    ...[tools.ffmpeg, '-nostdin', ...quiet, '-xerror', '-threads', String(threads)],
    ...[...inputOptions[copy.format], '-i', `file:${copy.path}`],
    ...[...maps.flatMap(map => ['-map', map]), ...tools.keepFrames, '-f', 'null', '-progress', 'pipe:1', '-'],
  ]
  const { output } = await run(tools, copy, command)
  const last = (name: string) => Number([...output.matchAll(new RegExp(`^${name}=(-?[0-9]+)$`, 'gm'))].at(-1)?.[1] ?? 0)
  return { frames: last('frame'), seconds: last('out_time_us') / 1_000_000 }
}

/**
 * Decodes a still picture whole, and, where there is one, a second file of the same VP8 picture by libvpx; returns the size of each
 * picture found. A fault that the decoder sees ends it.
 */
export async function decodePicture(tools: Tools, copy: Copy, vp8Path?: string): Promise<{ width: number; height: number }[]> {
  const strict = ['-err_detect', 'explode', '-noautorotate']
  const command = [
    ...[tools.ffmpeg, '-nostdin', ...quiet, '-xerror'],
    ...[...strict, ...inputOptions[copy.format], '-i', `file:${copy.path}`],
    ...(vp8Path ? [...strict, '-f', 'ivf', '-c:v', 'libvpx', '-i', `file:${vp8Path}`] : []),
    ...['-map', '0:v', ...(vp8Path ? ['-map', '1:v'] : []), ...tools.keepFrames, '-f', 'framecrc', '-'],
  ]
  const { output } = await run(tools, copy, command)
  // "#dimensions 0: 640x480" for each stream, and a line for each of its frames: "0,  0,  0,  1,  460800, 0xe90f8090".
  const sizes = [...output.matchAll(/^#dimensions \d+: (\d+)x(\d+)$/gm)].map(([, width, height]) => ({
    width: Number(width),
    height: Number(height),
  }))
  const frames = output.match(/^\d+,/gm)?.length ?? 0
  return frames === (vp8Path ? 2 : 1) && sizes.length === frames ? sizes : []
}

async function run(tools: Tools, { folder, format, kind, cpu, signal }: Copy, command: string[]): Promise<ChildOutcome> {
  const cpuSecondsMax = cpuSecondsLeft(tools, kind, cpu)
  const input = {
    command: sandboxed(tools.isolation, folder, { ...tools.childLimits, cpuSecondsMax }, command),
    deadlineMs: tools.childDeadlineMs,
    outputBytesMax,
    signal,
  }
  const outcome = await runChild(input)
  const outOfCpu = outcome.exitCode === killedBySystem && !outcome.killed && outcome.cpuSeconds >= cpuSecondsMax / 2
  cpu?.take(outOfCpu ? cpuSecondsMax : outcome.cpuSeconds)
  if (outcome.killed === 'interrupted') throw signal.reason
  if (outcome.killed === 'deadline')
    throw reject('media_too_large', {
      measured: `over ${tools.childDeadlineMs / 1000} s to decode`,
      limit: `${tools.childDeadlineMs / 1000} s`,
    })
  if (outOfCpu) throw tooCostly(cpuSecondsMax)
  if (outcome.exitCode !== 0 && outOfMemory.test(outcome.complaint))
    throw tooMuchMemory(tools.childLimits.memoryBytesMax, outcome.complaint)
  if (outcome.exitCode !== 0 || outcome.killed)
    throw reject('media_corrupt', { measured: 'a file that can’t be decoded to its end', limit: `a whole ${format}` }, outcome.complaint)
  return outcome
}

/** The costliest picture of 5760 × 5760 takes two and a half on a slow machine; a sound of half a minute a tenth of one. */
const stillCpuSecondsMax = 10

/** 128 and SIGKILL. The system's own count of a child's seconds, by which it kills, runs up to a fifth ahead of what it tells of them. */
const killedBySystem = 137

/** Whole seconds, as the system counts them, that one more child may use. Throws where the task has used up its own. */
function cpuSecondsLeft({ childLimits: { cpuSecondsMax } }: Tools, kind: MediaKind, cpu: CpuBudget | undefined): number {
  const ownMax = kind === MediaKind.VIDEO ? cpuSecondsMax : Math.min(cpuSecondsMax, stillCpuSecondsMax)
  if (!cpu) return ownMax
  if (cpu.secondsLeft() <= 0)
    throw reject('media_too_large', {
      measured: `over ${cpu.secondsMax} s of processor for all files together`,
      limit: `${cpu.secondsMax} s: send smaller or fewer files`,
    })
  return Math.min(ownMax, Math.ceil(cpu.secondsLeft()))
}

const tooCostly = (secondsMax: number) =>
  reject('media_too_large', {
    measured: `over ${secondsMax} s of processor to decode`,
    limit: `${secondsMax} s: send it smaller, or in another format`,
  })

/** ENOMEM in the system's words and in those of ffmpeg's own allocators. */
const outOfMemory = /cannot allocate memory|could not allocate|get_buffer\(\) failed/i

function tooMuchMemory(bytesMax: number, complaint: string) {
  const limit = `${Math.floor(bytesMax / 1_048_576)} MiB`
  return reject('media_too_large', { measured: `over ${limit} of memory to decode`, limit }, complaint)
}
