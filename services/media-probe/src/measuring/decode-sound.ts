import { input } from '../child/ffprobe'
import { runTool } from '../child/run-tool'
import type { Copy } from '../child/sample'
import type { Tools } from '../child/tools'

/** Decodes a sound to its end and throws it away; returns the seconds that ffmpeg counted. */
export async function decodeSound(tools: Tools, copy: Copy): Promise<number> {
  const command = [
    ...[tools.ffmpeg, '-nostdin', '-v', 'error', '-hide_banner', '-xerror', '-threads', '1', ...input(copy)],
    ...['-map', '0:a:0', ...tools.keepFrames, '-f', 'null', '-progress', 'pipe:1', '-'],
  ]
  const { output } = await runTool(tools, copy, { command })
  return Number([...output.matchAll(/^out_time_us=(-?[0-9]+)$/gm)].at(-1)?.[1] ?? 0) / 1_000_000
}
