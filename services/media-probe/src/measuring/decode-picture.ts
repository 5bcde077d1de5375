import { inputArgs, safeInputArgs } from '../child/ffprobe'
import { runTool } from '../child/run-tool'
import type { CleanCopy } from '../child/source-file'
import type { Tools } from '../child/tools'

/**
 * Decodes a still picture, and the same VP8 picture with libvpx if `vp8Path` is given.
 * Returns the size of each decoded picture. Any decoder error ends it.
 */
export async function decodePicture(tools: Tools, copy: CleanCopy, vp8Path?: string): Promise<{ width: number; height: number }[]> {
  const strict = ['-err_detect', 'explode', '-noautorotate']
  const command = [
    ...[tools.ffmpeg, '-nostdin', '-v', 'error', '-hide_banner', '-xerror'],
    ...[...strict, ...inputArgs(copy)],
    ...(vp8Path ? [...strict, ...safeInputArgs(), '-f', 'ivf', '-c:v', 'libvpx', '-i', `file:${vp8Path}`] : []),
    ...['-map', '0:v', ...(vp8Path ? ['-map', '1:v'] : []), ...tools.keepFramesArgs, '-f', 'framecrc', '-'],
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
