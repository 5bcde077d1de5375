import { reject } from '../errors'
import { checkDeclared, checkDecodedPixels, checkFrameRate, checkSeconds, checkSize, rounded } from '../limits/check'
import { decode, ffprobe } from './children'
import { decoderThreads } from './decoder-threads'
import type { FileView } from './file-view'
import type { Copy, Measured, Tools } from './measured'
import { inspectMp4, type Movie } from './mp4'
import { type Packet, readTimeline, type Timeline } from './timeline'

type Stream = {
  index: number
  codec_type: string
  codec_name?: string
  pix_fmt?: string
  width?: number
  height?: number
  sample_aspect_ratio?: string
  time_base: string
  side_data_list?: { rotation?: number }[]
}
type Probed = { streams?: Stream[]; packets?: Packet[] }

/** What makers decode; each is also one that the decoder in the image knows. */
const videoCodecs = ['h264', 'hevc', 'av1', 'vp9', 'mpeg4', 'prores']
/** Eight to twelve bits of the usual samplings. Deeper ones cost a decoder memory and no maker takes them. */
const pixelFormat = /^(?:yuvj?4(?:20|22|44)p(?:10le|12le)?|yuva444p(?:10|12)le|nv12|gbrp(?:10le|12le)?|p010le)$/
const trackHandlers = ['vide', 'soun', 'tmcd', 'meta']
const soundTracksMax = 4
const tracksMax = 12
/** Header, edit list and samples describe one length; encoders' lead-ins shift them by less than this. */
const lengthToleranceSeconds = 0.2
/** Sound may outlast the picture by its own last frames. */
const soundOverhangSeconds = 0.1

const entries =
  'stream=index,codec_type,codec_name,pix_fmt,width,height,sample_aspect_ratio,time_base:stream_side_data=rotation:packet=stream_index,pts,duration'

export async function measureVideo(tools: Tools, copy: Copy, file: FileView): Promise<Measured> {
  const movie = await inspectMp4(file)
  checkTracks(movie)
  const { streams = [], packets = [] } = await ffprobe<Probed>(tools, copy, ['-show_packets', '-show_entries', entries])
  const video = streams.find(stream => stream.codec_type === 'video')
  if (!video?.width || !video.height) throw unsupported('no video stream that can be read')
  if (!videoCodecs.includes(video.codec_name ?? '')) throw unsupported(`video codec ${video.codec_name ?? 'unknown'}`)
  if (!pixelFormat.test(video.pix_fmt ?? '')) throw unsupported(`pixel format ${video.pix_fmt ?? 'unknown'}`)
  const size = displayed(video, video.width, video.height)
  checkSize(size, copy.limits)

  const timelineOf = (stream: Stream) =>
    readTimeline(
      packets.filter(packet => packet.stream_index === stream.index),
      quotient(stream.time_base),
    )
  const picture = timelineOf(video)
  if (!picture) throw reject('media_corrupt', { measured: 'a video stream without frames', limit: 'frames' })
  const sounds = streams.filter(stream => stream.codec_type === 'audio').map(timelineOf)
  const seconds = fileSeconds(picture, sounds)
  checkLengths(movie, seconds)
  checkFrameRate(picture.rate, copy.limits)
  checkSeconds(seconds, copy.limits)
  checkDeclared(seconds, 1 / picture.rate.average, copy.declaredSeconds)
  checkDecodedPixels(video.width, video.height, picture.frames)

  const threads = decoderThreads(tools, { width: video.width, height: video.height, pixelFormat: video.pix_fmt ?? '' })
  const decoded = await decode(tools, copy, { maps: [`0:${video.index}`, '0:a:0?'], threads })
  // Frames before the first key frame of an open group can't be shown; more than that missing is damage.
  if (decoded.frames < picture.frames * 0.97 - 2)
    throw reject('media_corrupt', { measured: `${decoded.frames} of ${picture.frames} frames can be decoded`, limit: 'all frames' })
  return {
    format: copy.format,
    width: size.width,
    height: size.height,
    frameRate: Math.round(picture.rate.average * 1000) / 1000,
    seconds,
  }
}

function checkTracks({ tracks }: Movie): void {
  const count = (handler: string) => tracks.filter(track => track.handler === handler).length
  const odd = tracks.find(track => !trackHandlers.includes(track.handler))
  if (count('vide') !== 1) throw unsupported(`${count('vide')} video streams`)
  if (odd) throw unsupported(`a track of kind ${odd.handler.replace(/[^a-z0-9 ]/gi, '?')}`)
  if (count('soun') > soundTracksMax || tracks.length > tracksMax)
    throw unsupported(`${tracks.length} tracks, ${count('soun')} of them sound`)
}

/** As it is seen: sample aspect applied to the ratio, sides swapped by a quarter turn. */
function displayed(video: Stream, width: number, height: number) {
  const ratio = (width * (quotient(video.sample_aspect_ratio ?? '') || 1)) / height
  const rotation = video.side_data_list?.find(data => data.rotation !== undefined)?.rotation ?? 0
  const turned = Math.abs(Math.round(rotation / 90)) % 2 === 1
  return turned ? { width: height, height: width, ratio: 1 / ratio } : { width, height, ratio }
}

/** The picture's length, unless sound goes on well behind it. */
function fileSeconds(picture: Timeline, sounds: (Timeline | undefined)[]): number {
  const longestSound = Math.max(0, ...sounds.map(sound => sound?.seconds ?? 0))
  return longestSound > picture.seconds + soundOverhangSeconds ? longestSound : picture.seconds
}

/** The movie's header, and each audible or visible track's header, edit list and sample table, against what the packets give. */
function checkLengths(movie: Movie, seconds: number): void {
  const tracks = movie.tracks.filter(({ handler }) => handler === 'vide' || handler === 'soun')
  const stretched = tracks.find(({ edited = 0 }) => edited > seconds + lengthToleranceSeconds)
  if (stretched) throw lying(`edit list ${rounded(stretched.edited ?? 0)} s, frames ${rounded(seconds)} s`)
  // A fragmented movie's header speaks of its first fragment or of nothing; its packets alone are measured.
  if (movie.fragmented) return
  for (const { header, edited = header, samples } of tracks) {
    if (Math.max(header, edited, samples) - Math.min(header, edited, samples) > lengthToleranceSeconds)
      throw lying(`track header ${rounded(header)} s, edit list ${rounded(edited)} s, samples ${rounded(samples)} s`)
  }
  if (Math.abs(movie.seconds - seconds) > lengthToleranceSeconds)
    throw lying(`header ${rounded(movie.seconds)} s, frames ${rounded(seconds)} s`)
}

const quotient = (text: string) => {
  const [numerator = Number.NaN, denominator = Number.NaN] = text.split(/[/:]/).map(Number)
  const value = numerator / denominator
  return Number.isFinite(value) ? value : 0
}

const lying = (measured: string) => reject('media_corrupt', { measured, limit: 'equal lengths' })
const unsupported = (measured: string) => reject('media_type_unsupported', { measured, limit: 'one video stream, with sound or without' })
