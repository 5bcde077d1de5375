import { reject } from '../errors'
import { tracksMax } from '../limits/check'
import { runTool } from './run-tool'
import type { CleanCopy } from './source-file'
import type { Tools } from './tools'

const movieArgs = ['-f', 'mov', '-enable_drefs', '0', '-use_absolute_path', '0', '-max_streams', String(tracksMax)]

/** Forces the demuxer of the magic bytes and permits no other file, so a disguised playlist fetches nothing. */
const demuxerArgs = {
  jpeg: ['-f', 'jpeg_pipe'],
  png: ['-f', 'png_pipe'],
  webp: ['-f', 'webp_pipe'],
  mp4: movieArgs,
  mov: movieArgs,
  mp3: ['-f', 'mp3'],
  wav: ['-f', 'wav'],
}

/** Above every limit; a header that declares more is refused before decoding. */
export const pixelsMax = 5_760 * 5_760

/** Precedes every input file. */
export const safeInputArgs = (framePixelsMax = pixelsMax): string[] => [
  '-protocol_whitelist',
  'file,pipe',
  '-max_pixels',
  String(framePixelsMax),
]

export const inputArgs = ({ format, path }: Pick<CleanCopy, 'format' | 'path'>, framePixelsMax = pixelsMax): string[] => [
  ...[...safeInputArgs(framePixelsMax), ...demuxerArgs[format], '-i', `file:${path}`],
]

/** Runs ffprobe on a file and parses its JSON. */
export async function ffprobe<T>(tools: Tools, copy: CleanCopy, options: string[]): Promise<T> {
  const command = [tools.ffprobe, '-v', 'error', '-hide_banner', ...options, '-of', 'json=c=1', ...inputArgs(copy)]
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
