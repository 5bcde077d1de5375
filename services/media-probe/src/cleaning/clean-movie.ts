import { open } from 'node:fs/promises'
import { inputArgs } from '../child/ffprobe'
import { runTool, type ToolRun } from '../child/run-tool'
import type { SourceFile } from '../child/source-file'
import type { Tools } from '../child/tools'
import { reject } from '../errors'
import { bytesMaxOf, checkDecodedPixels, checkSeconds } from '../limits/check'
import type { Format } from '../limits/formats'
import { choosePicture, chooseSound, cutShort, type Picture } from '../movie/choose-tracks'
import { checkOneSize, codedPixels, reportBytesMax, reportedFrames } from '../movie/frame-report'
import { isEncrypted, type ProbedMovie, packetsOf, probeMovie, probePictureAndSound, quotient, type Stream } from '../movie/probe-movie'
import { blankCopy } from './movie/blank-copy'
import { checkEdits } from './movie/check-edits'
import { encodableFormat, encodedPictureArgs, encodedSoundArgs, encoderThreadsMax } from './movie/encode-args'
import { withFile } from './movie/file-view'
import { readHeader } from './movie/movie-header'
import { type CutPlan, type PictureCut, planCut, type SoundCut } from './movie/plan-cut'
import { refuseExternalData } from './movie/refuse-external-data'

/** Time to read and write at most 50 MiB. */
const remuxDeadlineMs = 30_000
/** The path of the inherited file in the child, which can't open files for writing. */
const inheritedFile = '/proc/self/fd/3'

/**
 * Writes a movie's copy: the frames that a player shows in one picture track, their sound, a new header, and nothing
 * else but rotation, colour and sample aspect. Packets stay as they are, unless frames are cut off between key frames.
 * Returns the copy's contents.
 */
export async function cleanMovie(tools: Tools, source: SourceFile): Promise<ProbedMovie> {
  await withFile(source.path, async file => {
    const header = await readHeader(file)
    refuseExternalData(header)
    await checkEdits(file, header)
  })
  const probed = await probePictureAndSound(tools, source)
  if (probed.packets.some(isEncrypted))
    throw reject('media_type_unsupported', { measured: 'an encrypted movie', limit: 'a movie without copy protection' })
  const picture = choosePicture(probed.streams)
  const sound = chooseSound(probed.streams)
  await refuseMissingSamples(tools, source, probed, picture)
  const plan = planCut(probed, picture, sound)
  if (plan.picture.needsEncoding || plan.sound?.isJoined) checkBeforeEncoding(source, plan, picture)
  const target = plan.picture.needsEncoding ? encodedTarget(tools, source, plan, picture) : remuxedTarget(source, plan.picture, picture)
  const soundCodec = plan.sound && (plan.sound.isJoined ? 'aac' : sound?.codec_name)
  const copy = await open(source.copyPath, 'wx+', 0o600)
  try {
    const command = [
      ...[tools.ffmpeg, '-nostdin', '-nostats', '-hide_banner', '-xerror', '-y', '-copyts', ...target.inputArgs],
      ...['-c', 'copy', ...target.outputArgs, ...(plan.sound ? soundArgs(plan.sound) : []), ...dropMetadataArgs],
      ...[...muxerArgs(source.format, [target.codec, soundCodec ?? '']), inheritedFile],
    ]
    const run = await runTool(tools, source, { ...target.run, command, inheritedFd: copy.fd, fileBytesMax: bytesMaxOf(source.limits) })
    checkOneSize(reportedFrames(run.stderr), picture)
    const written = withPixelFormat(
      await probeMovie(tools, { ...source, path: source.copyPath }, headerOnlyArgs(target.codec)),
      target.pixelFormat,
    )
    if (packetsOf(written, choosePicture(written.streams)).length !== plan.picture.frames)
      throw cutShort('fewer samples than its header lists')
    await blankCopy(copy, written)
    return written
  } finally {
    await copy.close()
  }
}

/** How the picture gets into the copy, and what it then is. */
type Target = { codec: string; pixelFormat: string; inputArgs: string[]; outputArgs: string[]; run: Partial<ToolRun> }

const remuxedTarget = (source: SourceFile, cut: PictureCut, { codec_name, pix_fmt }: Picture): Target => ({
  ...{ codec: codec_name, pixelFormat: pix_fmt, run: { deadlineMs: remuxDeadlineMs } },
  inputArgs: ['-v', 'error', ...inputArgs(source)],
  outputArgs: pictureArgs(cut, codec_name),
})

/** Encoding costs a multiple of decoding, and an edit list can repeat a piece. */
function checkBeforeEncoding({ limits }: SourceFile, { picture: { frames }, seconds }: CutPlan, picture: Picture): void {
  checkSeconds(seconds, limits, quotient(picture.time_base))
  checkDecodedPixels(picture.width, picture.height, frames)
}

function encodedTarget(tools: Tools, source: SourceFile, { picture: cut, seconds }: CutPlan, picture: Picture): Target {
  const { width, height, pix_fmt } = picture
  const pixelFormat = encodableFormat(pix_fmt, (width % 2) + (height % 2) > 0)
  const threads = Math.min(tools.coresMax, encoderThreadsMax)
  const encoding = { pixelFormat, pixels: width * height * cut.frames, seconds, bytesMax: bytesMaxOf(source.limits), threads }
  return {
    ...{ codec: 'h264', pixelFormat, run: { reportBytesMax } },
    inputArgs: ['-v', 'level+info', '-noautorotate', '-threads', String(threads), ...inputArgs(source, codedPixels(picture))],
    outputArgs: [...encodedPictureArgs(cut, encoding), ...tools.keepFramesArgs],
  }
}

/**
 * The demuxer silently stops at a sample past the end of the file. Fewer samples than the header lists are then a
 * truncated file, unless the edit list hides the others.
 */
async function refuseMissingSamples(tools: Tools, source: SourceFile, probed: ProbedMovie, picture: Stream): Promise<void> {
  // Fragments list no samples, but an initialisation segment alone has none.
  const listed = Number(picture.nb_frames) || 1
  if (packetsOf(probed, picture).length >= listed) return
  const all = await probeMovie(tools, source, ['-ignore_editlist', '1', '-select_streams', 'v'])
  if (packetsOf(all, picture).length < listed) throw cutShort('fewer samples than its header lists')
}

/**
 * Our header lacks only the pixel format, and MPEG-4's picture size. Other codecs' first frames need no second
 * decoding.
 */
const headerOnlyArgs = (codec: string): string[] => (codec === 'mpeg4' ? [] : ['-nofind_stream_info'])

const withPixelFormat = ({ streams, packets }: ProbedMovie, pix_fmt: string): ProbedMovie => ({
  streams: streams.map(stream => (stream.codec_type === 'video' ? { ...stream, pix_fmt } : stream)),
  packets,
})

const dropMetadataArgs = [
  ...['-map_metadata', '-1', '-map_metadata:s', '-1', '-map_chapters', '-1', '-fflags', '+bitexact', '-write_tmcd', '0'],
  ...['-movflags', '+faststart', '-avoid_negative_ts', 'disabled', '-strict', 'experimental', '-disposition', 'default'],
]

/** The packets of the shown frames; all if none is marked as a key frame. */
const pictureArgs = (
  { index, timescale, shift, firstFrameDelay, lastDuration, showFrom, decodeTo, hasKeyFrames }: PictureCut,
  codec: string,
): string[] => {
  const dropped = [
    ...(showFrom === undefined ? [] : [`lt(pts\\,${showFrom})`]),
    ...(decodeTo === undefined ? [] : [`gt(dts\\,${decodeTo})`]),
  ]
  const filters = [
    ...(dropped.length > 0 ? [`noise=drop=${dropped.join('+')}`] : []),
    ...(codec === 'av1' ? ['filter_units=remove_types=5'] : []),
    `setts=${shiftTimestamps(shift, firstFrameDelay)}:duration=${Math.round(lastDuration)}`,
  ]
  return [
    ...['-map', `0:${index}`, '-video_track_timescale', String(timescale), ...(hasKeyFrames ? [] : ['-copyinkf'])],
    ...['-bsf:v', filters.join(',')],
  ]
}

function soundArgs(cut: SoundCut): string[] {
  if (cut.isJoined) return encodedSoundArgs(cut)
  const { index, shift, keepFrom, keepTo, usualDuration } = cut
  const duration = `if(DURATION\\,DURATION\\,${usualDuration})`
  return [
    ...['-map', `0:${index}`],
    ...['-bsf:a', `noise=drop=lt(pts\\,${keepFrom})+gt(pts\\,${keepTo}),setts=${shiftTimestamps(shift)}:duration=${duration}`],
  ]
}

/** Decoding times must increase; two samples with the same time are tolerated. The first packet may shift less. */
function shiftTimestamps(shift: number, firstFrameDelay = 0): string {
  const by = firstFrameDelay ? `if(N\\,${shift}\\,${shift - firstFrameDelay})` : `(${shift})`
  return `pts=PTS-${by}:dts=max(DTS-${by}\\,PREV_OUTDTS+1)`
}

/** Codecs that ffmpeg writes only to QuickTime, and only to MP4; all others fit both. */
const quickTimeOnly = /^(?:prores|pcm_|amr_|mace|adpcm|qdm|gsm)/
const mp4Only = /^(?:vp9|av1|flac|opus)$/

/**
 * The copy keeps the file's type. Cameras write MP4 with QuickTime sound (Sony XAVC with PCM): the copy then uses
 * the muxer that can write it, with the brand of the type.
 */
function muxerArgs(format: Format, codecs: string[]): string[] {
  if (format === 'mp4') return codecs.some(codec => quickTimeOnly.test(codec)) ? ['-brand', 'mp42', '-f', 'mov'] : ['-f', 'mp4']
  return codecs.some(codec => mp4Only.test(codec)) ? ['-brand', 'qt  ', '-f', 'mp4'] : ['-f', 'mov']
}
