import { inputArgs } from '../child/ffprobe'
import { runTool } from '../child/run-tool'
import type { CleanCopy } from '../child/source-file'
import type { Tools } from '../child/tools'
import { codedPixels, type FrameSize, reportBytesMax, reportedFrames } from '../movie/frame-report'

export type DecodedMovie = {
  /** In display order. */
  frames: FrameSize[]
  soundSeconds: number
  /** The decoder reported an error that it could go on after; with several threads it ends at some of them only. */
  reportedErrors: boolean
}

/** Decodes all frames and sound of the tracks and discards them. Stops at an error or a frame larger than the first. */
export async function decodeMovie(
  tools: Tools,
  copy: CleanCopy,
  { width, height, threads, tracks }: { width: number; height: number; threads: number; tracks: number[] },
): Promise<DecodedMovie> {
  const { stderr } = await runTool(tools, copy, {
    command: [
      ...[
        tools.ffmpeg,
        '-nostdin',
        '-v',
        'level+info',
        '-nostats',
        '-hide_banner',
        '-xerror',
        '-noautorotate',
        '-threads',
        String(threads),
      ],
      ...[...inputArgs(copy, codedPixels({ width, height })), ...tracks.flatMap(index => ['-map', `0:${index}`]), ...tools.keepFramesArgs],
      ...['-vf', 'showinfo=checksum=0', '-af', 'ashowinfo', '-f', 'null', '-'],
    ],
    reportBytesMax,
  })
  let soundSeconds = 0
  for (const [, rate, samples] of stderr.matchAll(soundLine)) soundSeconds += Number(samples) / Number(rate)
  return { frames: reportedFrames(stderr), soundSeconds, reportedErrors: /\[(?:error|fatal)\] /.test(stderr) }
}

const soundLine = /^\[Parsed_ashowinfo_\d+ @ [0-9a-fx]+\] \[info\] n: *\d+ .* rate:(\d+) nb_samples:(\d+) /gm
