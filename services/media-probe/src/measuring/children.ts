import { reject } from '../errors'
import type { Copy, Tools } from './measured'
import { runTool } from './run-tool'

/** The demuxer is forced from the magic bytes and may open nothing but this file: a playlist in disguise fetches nothing. */
const inputOptions = {
  jpeg: ['-f', 'jpeg_pipe'],
  png: ['-f', 'png_pipe'],
  webp: ['-f', 'webp_pipe'],
  mp4: ['-f', 'mov', '-enable_drefs', '0', '-use_absolute_path', '0'],
  mov: ['-f', 'mov', '-enable_drefs', '0', '-use_absolute_path', '0'],
  mp3: ['-f', 'mp3'],
  wav: ['-f', 'wav'],
}

/** Larger than any file that passes its limits; a header that says more is refused before a pixel is drawn. */
export const pixelsMax = 5_760 * 5_760

/** What goes before every file that is read. */
const guarded = (framePixelsMax = pixelsMax): string[] => ['-protocol_whitelist', 'file,pipe', '-max_pixels', String(framePixelsMax)]

export const input = ({ format, path }: Copy, framePixelsMax = pixelsMax): string[] => [
  ...[...guarded(framePixelsMax), ...inputOptions[format], '-i', `file:${path}`],
]

/** Runs ffprobe on a file and reads its JSON. */
export async function ffprobe<T>(tools: Tools, copy: Copy, options: string[]): Promise<T> {
  const command = [tools.ffprobe, '-v', 'error', '-hide_banner', ...options, '-of', 'json=c=1', ...input(copy)]
  const { output } = await runTool(tools, copy, { command })
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

/** Decodes a sound to its end and throws it away; returns the seconds that ffmpeg counted. */
export async function decodeSound(tools: Tools, copy: Copy): Promise<number> {
  const command = [
    ...[tools.ffmpeg, '-nostdin', '-v', 'error', '-hide_banner', '-xerror', '-threads', '1', ...input(copy)],
    ...['-map', '0:a:0', ...tools.keepFrames, '-f', 'null', '-progress', 'pipe:1', '-'],
  ]
  const { output } = await runTool(tools, copy, { command })
  return Number([...output.matchAll(/^out_time_us=(-?[0-9]+)$/gm)].at(-1)?.[1] ?? 0) / 1_000_000
}

/**
 * Decodes a still picture whole, and, where there is one, a second file of the same VP8 picture by libvpx; returns the size of each
 * picture found. A fault that the decoder sees ends it.
 */
export async function decodePicture(tools: Tools, copy: Copy, vp8Path?: string): Promise<{ width: number; height: number }[]> {
  const strict = ['-err_detect', 'explode', '-noautorotate']
  const command = [
    ...[tools.ffmpeg, '-nostdin', '-v', 'error', '-hide_banner', '-xerror'],
    ...[...strict, ...input(copy)],
    ...(vp8Path ? [...strict, ...guarded(), '-f', 'ivf', '-c:v', 'libvpx', '-i', `file:${vp8Path}`] : []),
    ...['-map', '0:v', ...(vp8Path ? ['-map', '1:v'] : []), ...tools.keepFrames, '-f', 'framecrc', '-'],
  ]
  const { output } = await runTool(tools, copy, { command })
  // "#dimensions 0: 640x480" for each stream, and a line for each of its frames: "0,  0,  0,  1,  460800, 0xe90f8090".
  const sizes = [...output.matchAll(/^#dimensions \d+: (\d+)x(\d+)$/gm)].map(([, width, height]) => ({
    width: Number(width),
    height: Number(height),
  }))
  const frames = output.match(/^\d+,/gm)?.length ?? 0
  return frames === (vp8Path ? 2 : 1) && sizes.length === frames ? sizes : []
}
