import { open } from 'node:fs/promises'
import { input } from '../child/ffprobe'
import { runTool } from '../child/run-tool'
import type { Sample } from '../child/sample'
import type { Tools } from '../child/tools'
import { reject } from '../errors'
import { bytesMaxOf } from '../limits/check'
import { choosePicture, chooseSound } from '../movie/choose-tracks'
import { isEncrypted, type Probed, packetsOf, probeMovie, probePictureAndSound, type Stream } from '../movie/probe-movie'
import { blankCopy } from './movie/blank-copy'
import { withFile } from './movie/file-view'
import { muxerOf } from './movie/muxer'
import { type PictureCut, planCut, type SoundCut } from './movie/plan-cut'
import { refuseExternalData } from './movie/refuse-external-data'

/** Reading and writing at most 50 MiB. */
const deadlineMs = 30_000
/** Where a child finds the file that it is handed: it could not open one for writing by itself. */
const handedFile = '/proc/self/fd/3'

/**
 * Writes a movie anew: its picture and the sound keptSound with it, packet by packet as they were coded, under a header of our own. Edit lists
 * are applied to the key frame, fragments joined; rotation, colour and sample aspect are kept, and nothing else is. Returns what the copy
 * holds.
 */
export async function cleanMovie(tools: Tools, sample: Sample): Promise<Probed> {
  await withFile(sample.path, refuseExternalData)
  const probed = await probePictureAndSound(tools, sample)
  const picture = choosePicture(probed.streams)
  const sound = chooseSound(probed.streams)
  if (probed.packets.some(isEncrypted))
    throw reject('media_type_unsupported', { measured: 'an encrypted movie', limit: 'a movie without copy protection' })
  await refuseMissing(tools, sample, probed, picture)
  const plan = planCut(probed, picture, sound)
  const keptSound = plan.sound && sound
  const copy = await open(sample.copyPath, 'wx+', 0o600)
  try {
    const command = [
      ...[tools.ffmpeg, '-nostdin', '-v', 'error', '-hide_banner', '-xerror', '-y', '-copyts', ...input(sample)],
      ...[...keepPicture(plan.picture, picture.codec_name), ...(plan.sound ? keepSound(plan.sound) : []), '-c', 'copy', ...dropTheRest],
      ...[...muxerOf(sample.format, picture, keptSound), handedFile],
    ]
    await runTool(tools, sample, { command, deadlineMs, handOver: copy.fd, fileBytesMax: bytesMaxOf(sample.limits) })
    const written = withPixels(await probeMovie(tools, { ...sample, path: sample.copyPath }, headerAlone(picture.codec_name)), picture)
    if (packetsOf(written, choosePicture(written.streams)).length !== plan.picture.frames) throw cutShort()
    await blankCopy(copy, written)
    return written
  } finally {
    await copy.close()
  }
}

/**
 * A sample behind the file's end is the end to the demuxer, and no error. Fewer samples than the header lists are then all that is seen of
 * it, unless it is the edit list that leaves some out.
 */
async function refuseMissing(tools: Tools, sample: Sample, probed: Probed, picture: Stream): Promise<void> {
  const listed = Number(picture.nb_frames ?? 0)
  if (packetsOf(probed, picture).length >= listed) return
  const all = await probeMovie(tools, sample, ['-ignore_editlist', '1', '-select_streams', 'v'])
  if (packetsOf(all, picture).length < listed) throw cutShort()
}

/**
 * A header of our own says all but how pixels are stored, and for MPEG-4 how large its pictures are: no other codec's first frames need be
 * decoded for that once more.
 */
const headerAlone = (codec: string): string[] => (codec === 'mpeg4' ? [] : ['-nofind_stream_info'])

const withPixels = ({ streams, packets }: Probed, { pix_fmt }: Stream): Probed => ({
  streams: streams.map(stream => (stream.codec_type === 'video' ? { ...stream, pix_fmt } : stream)),
  packets,
})

const cutShort = () =>
  reject('media_corrupt', { measured: 'a file that is cut short', limit: 'the whole file' }, 'fewer samples than its header lists')

const dropTheRest = [
  ...['-map_metadata', '-1', '-map_metadata:s', '-1', '-map_chapters', '-1', '-fflags', '+bitexact', '-write_tmcd', '0'],
  ...['-movflags', '+faststart', '-avoid_negative_ts', 'disabled', '-strict', 'experimental', '-disposition', 'default'],
]

/** Every frame from the first that can be decoded by itself, or all where none says so. */
const keepPicture = (
  { index, timescale, shift, firstLate, lastDuration, frames, tailHidden, keyFrames }: PictureCut,
  codec: string,
): string[] => [
  ...[
    '-map',
    `0:${index}`,
    '-video_track_timescale',
    String(timescale),
    ...(tailHidden ? ['-frames:v', String(frames)] : []),
    ...(keyFrames ? [] : ['-copyinkf']),
  ],
  ...[
    '-bsf:v',
    `${codec === 'av1' ? 'filter_units=remove_types=5,' : ''}setts=${moved(shift, firstLate)}:duration=${Math.round(lastDuration)}`,
  ],
]

const keepSound = ({ index, shift, keepFrom, keepTo, usualDuration }: SoundCut): string[] => {
  const duration = `if(DURATION\\,DURATION\\,${usualDuration})`
  return [
    ...['-map', `0:${index}`],
    ...['-bsf:a', `noise=drop=lt(pts\\,${keepFrom})+gt(pts\\,${keepTo}),setts=${moved(shift)}:duration=${duration}`],
  ]
}

/** Times of decoding must grow; a writer that gave two samples one time is forgiven. The first packet may move less than the others. */
function moved(shift: number, firstLate = 0): string {
  const by = firstLate ? `if(N\\,${shift}\\,${shift - firstLate})` : `(${shift})`
  return `pts=PTS-${by}:dts=max(DTS-${by}\\,PREV_OUTDTS+1)`
}
