import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { inputArgs } from '../child/ffprobe'
import { runTool } from '../child/run-tool'
import type { Tools } from '../child/tools'
import { cleanJpeg } from '../cleaning/clean-jpeg'
import { isRejection, reject } from '../errors'

/** Longest side of a poster, in pixels. */
const sideMax = 640
/** What is drawn is some 20 to 80 KB. */
const posterBytesMax = 1_048_576
/** Where a child finds the file that it is handed: it could not open one for writing by itself. */
const inheritedFile = '/proc/self/fd/3'
/**
 * At this niceness a child on a busy machine may wait for minutes before it gets a second of processor. Its limit is therefore
 * `cpuSecondsMax`; the caller's signal ends a try, which is repeated. This only ends a child that the caller forgot.
 */
const childDeadlineMs = 600_000
/** What providers' videos are coded in: the hundreds of other decoders are nobody's to try. The sound's is refused too, and nobody needs it. */
const decoders = ['h264', 'hevc', 'libdav1d', 'libaom-av1', 'av1', 'vp9', 'libvpx-vp9', 'mpeg4', 'prores']
/** What nobody waits for runs behind everything else. */
const niceness = 15
/** A frame of 4K in 10 bits is 25 MB, and a decoder keeps 17 of them. */
const memoryBytesMax = 640 * 1_048_576
const cpuSecondsMax = 20

export type DrawPosterInput = { path: string; folder: string; signal: AbortSignal }

/** A frame counts as black where 98 of 100 of its pixels are darker than 32 of 255. */
const notBlack = 'blackframe=amount=0:threshold=32,metadata=mode=select:key=lavfi.blackframe.pblack:value=98:function=less'

/** The first that shows something from one second on, then from the beginning; of a video that is dark all through its first frame. */
const frameSearches = [
  { fromSeconds: 1, filter: `,${notBlack}` },
  { fromSeconds: 0, filter: `,${notBlack}` },
  { fromSeconds: 0, filter: '' },
]
/** Four frames of each of so many seconds are looked at. */
const [searchSeconds, searchFramesPerSecond] = [10, 4]

/**
 * One frame of a video of a provider's, as a JPEG of at most 640 × 640. The video is treated as any file of a stranger's: a child apart decodes it,
 * and of the file that the child wrote only what is a picture's is kept. Throws Failure<RejectionCode> where there is no frame.
 */
export async function drawPoster(tools: Tools, video: DrawPosterInput): Promise<Buffer<ArrayBuffer>> {
  let last: unknown
  for (const [index, search] of frameSearches.entries()) {
    try {
      const drawn = await draw(tools, video, search, join(video.folder, `poster-${index}`))
      if (drawn.length > 0) return await cleanPoster(drawn, video.signal)
    } catch (error) {
      if (!isRejection(error)) throw error
      last = error
    }
  }
  throw last ?? reject('media_corrupt', { measured: 'no frame', limit: 'a video' })
}

async function draw(
  tools: Tools,
  video: DrawPosterInput,
  { fromSeconds, filter }: (typeof frameSearches)[number],
  path: string,
): Promise<Buffer> {
  const poster = await open(path, 'wx+', 0o600)
  try {
    const source = { format: 'mp4' as const, path: video.path }
    const scale = `scale=w='min(${sideMax},iw)':h='min(${sideMax},ih)':force_original_aspect_ratio=decrease`
    const command = [
      ...[tools.ffmpeg, '-nostdin', '-v', 'error', '-hide_banner', '-xerror', '-y', '-threads', '1'],
      ...['-ss', String(fromSeconds), '-t', String(searchSeconds)],
      ...['-codec_whitelist', decoders.join(), ...inputArgs(source), '-map', '0:v:0', '-map_metadata', '-1'],
      ...['-vf', `fps=${searchFramesPerSecond},${scale},format=yuvj420p${filter}`, '-frames:v', '1'],
      ...['-c:v', 'mjpeg', '-q:v', '4', '-threads', '1', '-f', 'image2pipe', inheritedFile],
    ]
    const limited = { ...tools, childDeadlineMs, childLimits: { memoryBytesMax, cpuSecondsMax } }
    const run = { command, niceness, handOver: poster.fd, fileBytesMax: posterBytesMax }
    await runTool(limited, { ...video, format: 'mp4', kind: MediaKind.VIDEO }, run)
    return await readDrawn(poster)
  } finally {
    await poster.close()
  }
}

/** From the file that was opened, whatever stands under its name by now. */
async function readDrawn(poster: FileHandle): Promise<Buffer> {
  const buffer = Buffer.alloc((await poster.stat()).size)
  const { bytesRead } = await poster.read(buffer, 0, buffer.length, 0)
  return buffer.subarray(0, bytesRead)
}

/** A decoder that was taken over could write anything: tables, frame and scans of one picture are all that comes out. */
async function cleanPoster(drawn: Buffer, signal: AbortSignal): Promise<Buffer<ArrayBuffer>> {
  const checkDisplaySize = ({ width, height }: { width: number; height: number }) => {
    if (Math.max(width, height) > sideMax) throw reject('media_dimensions', { measured: `${width} × ${height}`, limit: `${sideMax}` })
  }
  const { buffers } = await cleanJpeg(drawn, { checkDisplaySize, signal })
  return Buffer.concat(buffers)
}
