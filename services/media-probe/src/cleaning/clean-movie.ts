import { open } from 'node:fs/promises'
import { inputArgs } from '../child/ffprobe'
import { runTool } from '../child/run-tool'
import type { SourceFile } from '../child/source-file'
import type { Tools } from '../child/tools'
import { reject } from '../errors'
import { bytesMaxOf } from '../limits/check'
import type { Format } from '../limits/formats'
import { choosePicture, chooseSound, cutShort } from '../movie/choose-tracks'
import { isEncrypted, type ProbedMovie, packetsOf, probeMovie, probePictureAndSound, type Stream } from '../movie/probe-movie'
import { blankCopy } from './movie/blank-copy'
import { withFile } from './movie/file-view'
import { type PictureCut, planCut, type SoundCut } from './movie/plan-cut'
import { refuseExternalData } from './movie/refuse-external-data'

/** Time to read and write at most 50 MiB. */
const deadlineMs = 30_000
/** The path of the inherited file in the child, which can't open files for writing. */
const inheritedFile = '/proc/self/fd/3'

/**
 * Remuxes a movie: one picture track and its sound, packets unchanged, under a new header. Applies edit lists to the
 * key frame, joins fragments, and keeps only rotation, colour and sample aspect. Returns the copy's contents.
 */
export async function cleanMovie(tools: Tools, source: SourceFile): Promise<ProbedMovie> {
  await withFile(source.path, refuseExternalData)
  const probed = await probePictureAndSound(tools, source)
  if (probed.packets.some(isEncrypted))
    throw reject('media_type_unsupported', { measured: 'an encrypted movie', limit: 'a movie without copy protection' })
  const picture = choosePicture(probed.streams)
  const sound = chooseSound(probed.streams)
  await refuseMissingSamples(tools, source, probed, picture)
  const plan = planCut(probed, picture, sound)
  const keptSound = plan.sound && sound
  const copy = await open(source.copyPath, 'wx+', 0o600)
  try {
    const command = [
      ...[tools.ffmpeg, '-nostdin', '-v', 'error', '-hide_banner', '-xerror', '-y', '-copyts', ...inputArgs(source)],
      ...[
        ...pictureArgs(plan.picture, picture.codec_name),
        ...(plan.sound ? soundArgs(plan.sound) : []),
        '-c',
        'copy',
        ...dropMetadataArgs,
      ],
      ...[...muxerArgs(source.format, picture, keptSound), inheritedFile],
    ]
    await runTool(tools, source, { command, deadlineMs, inheritedFd: copy.fd, fileBytesMax: bytesMaxOf(source.limits) })
    const written = withPixelFormat(
      await probeMovie(tools, { ...source, path: source.copyPath }, headerOnlyArgs(picture.codec_name)),
      picture,
    )
    if (packetsOf(written, choosePicture(written.streams)).length !== plan.picture.frames)
      throw cutShort('fewer samples than its header lists')
    await blankCopy(copy, written)
    return written
  } finally {
    await copy.close()
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

const withPixelFormat = ({ streams, packets }: ProbedMovie, { pix_fmt }: Stream): ProbedMovie => ({
  streams: streams.map(stream => (stream.codec_type === 'video' ? { ...stream, pix_fmt } : stream)),
  packets,
})

const dropMetadataArgs = [
  ...['-map_metadata', '-1', '-map_metadata:s', '-1', '-map_chapters', '-1', '-fflags', '+bitexact', '-write_tmcd', '0'],
  ...['-movflags', '+faststart', '-avoid_negative_ts', 'disabled', '-strict', 'experimental', '-disposition', 'default'],
]

/** All frames from the first key frame, or all if none is marked as one. */
const pictureArgs = (
  { index, timescale, shift, firstFrameDelay, lastDuration, frames, hasHiddenTail, hasKeyFrames }: PictureCut,
  codec: string,
): string[] => [
  ...[
    '-map',
    `0:${index}`,
    '-video_track_timescale',
    String(timescale),
    ...(hasHiddenTail ? ['-frames:v', String(frames)] : []),
    ...(hasKeyFrames ? [] : ['-copyinkf']),
  ],
  ...[
    '-bsf:v',
    `${codec === 'av1' ? 'filter_units=remove_types=5,' : ''}setts=${shiftTimestamps(shift, firstFrameDelay)}:duration=${Math.round(lastDuration)}`,
  ],
]

const soundArgs = ({ index, shift, keepFrom, keepTo, usualDuration }: SoundCut): string[] => {
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
function muxerArgs(format: Format, picture: Stream, sound: Stream | undefined): string[] {
  const codecs = [picture.codec_name ?? '', sound?.codec_name ?? '']
  if (format === 'mp4') return codecs.some(codec => quickTimeOnly.test(codec)) ? ['-brand', 'mp42', '-f', 'mov'] : ['-f', 'mp4']
  return codecs.some(codec => mp4Only.test(codec)) ? ['-brand', 'qt  ', '-f', 'mp4'] : ['-f', 'mov']
}
