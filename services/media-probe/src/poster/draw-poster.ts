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
/** A poster has 20 to 80 KB. */
const posterBytesMax = 1_048_576
/** The path of the inherited file in the child, which can't open files for writing. */
const inheritedFile = '/proc/self/fd/3'
/**
 * At this niceness a child may wait minutes for a CPU, so `cpuSecondsMax` and the caller's signal limit it.
 * This deadline only ends a child whose caller forgot it.
 */
const childDeadlineMs = 600_000
/** The codecs of providers' videos. Other decoders are not exposed to providers' files, and no sound is decoded. */
const decoders = ['h264', 'hevc', 'libdav1d', 'libaom-av1', 'av1', 'vp9', 'libvpx-vp9', 'mpeg4', 'prores']
/** Posters run at the lowest priority. */
const niceness = 15
/** A 10-bit 4K frame takes 25 MB, and a decoder keeps 17 of them. */
const memoryBytesMax = 640 * 1_048_576
const cpuSecondsMax = 20

export type DrawPosterInput = { path: string; folder: string; signal: AbortSignal }

/** A frame is black if 98 % of its pixels are darker than 32 of 255. */
const notBlack = 'blackframe=amount=0:threshold=32,metadata=mode=select:key=lavfi.blackframe.pblack:value=98:function=less'

/** Tried in order: a non-black frame from 1 s on, then from the start, then the first frame. */
const frameSearches = [
  { fromSeconds: 1, filter: `,${notBlack}` },
  { fromSeconds: 0, filter: `,${notBlack}` },
  { fromSeconds: 0, filter: '' },
]
/** Each search examines four frames a second for ten seconds. */
const [searchSeconds, searchFramesPerSecond] = [10, 4]

/**
 * Draws one frame of a provider's video as a JPEG of at most 640 × 640. A sandboxed child decodes the untrusted video,
 * and only one picture of its output is kept. Throws Failure<RejectionCode> without a frame.
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
    const run = { command, niceness, inheritedFd: poster.fd, fileBytesMax: posterBytesMax }
    await runTool(limited, { ...video, format: 'mp4', kind: MediaKind.VIDEO }, run)
    return await readDrawn(poster)
  } finally {
    await poster.close()
  }
}

/** Reads from the open descriptor, whatever file has the name by now. */
async function readDrawn(poster: FileHandle): Promise<Buffer> {
  const buffer = Buffer.alloc((await poster.stat()).size)
  const { bytesRead } = await poster.read(buffer, 0, buffer.length, 0)
  return buffer.subarray(0, bytesRead)
}

/** A compromised decoder could write anything, so only the tables, frame and scans of one picture are kept. */
async function cleanPoster(drawn: Buffer, signal: AbortSignal): Promise<Buffer<ArrayBuffer>> {
  const checkDisplaySize = ({ width, height }: { width: number; height: number }) => {
    if (Math.max(width, height) > sideMax) throw reject('media_dimensions', { measured: `${width} × ${height}`, limit: `${sideMax}` })
  }
  const { buffers } = await cleanJpeg(drawn, { checkDisplaySize, signal })
  return Buffer.concat(buffers)
}
