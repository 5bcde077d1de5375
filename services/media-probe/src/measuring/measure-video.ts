import type { CleanCopy } from '../child/source-file'
import type { Tools } from '../child/tools'
import { reject } from '../errors'
import { checkDeclaredSeconds, checkDecodedPixels, checkFrameRate, checkSeconds, checkSize } from '../limits/check'
import { choosePicture, chooseSound, type Picture } from '../movie/choose-tracks'
import { checkOneSize } from '../movie/frame-report'
import { type ProbedMovie, packetsOf, quotient, type Stream } from '../movie/probe-movie'
import { hasVariableRate, readTimeline } from '../movie/timeline'
import { type DecodedMovie, decodeMovie } from './decode-movie'
import { decoderThreads } from './decoder-threads'
import type { Measurement } from './measurement'

/**
 * Leading pictures that refer to frames before the first key frame can't be shown; encoders write at most this many.
 */
const leadingFramesMax = 16
/** Packets at both ends that a sound codec decodes without output. */
const codecDelayPackets = 4

/** Measures a copy: first by its samples, before decoding, then by every frame. */
export async function measureVideo(tools: Tools, copy: CleanCopy, probed: ProbedMovie): Promise<Measurement> {
  const picture = choosePicture(probed.streams)
  const timeline = readTimeline(packetsOf(probed, picture), picture)
  if (!timeline) throw reject('media_corrupt', { measured: 'a picture without frames', limit: 'a movie that plays' })
  const tickSeconds = quotient(picture.time_base)
  const seconds = (timeline.end - timeline.start) * tickSeconds
  const frameRate = seconds > 0 ? timeline.frames / seconds : 0
  const size = displaySizeOf(picture)
  checkSize(size, copy.limits)
  const varies = hasVariableRate(packetsOf(probed, picture))
  checkFrameRate({ average: frameRate, roundingShare: tickSeconds / seconds, varies }, copy.limits)
  checkSeconds(seconds, copy.limits, tickSeconds)
  checkDeclaredSeconds(seconds, 1 / frameRate, copy.declaredSeconds)
  checkDecodedPixels(picture.width, picture.height, timeline.frames)
  await checkDecoding(tools, copy, probed, { picture, sound: chooseSound(probed.streams) })
  return { format: copy.format, width: size.width, height: size.height, frameRate: Math.round(frameRate * 1000) / 1000, seconds }
}

/** Decodes both tracks. Throws Failure<RejectionCode> unless there is a frame for each sample, and all sound. */
export async function checkDecoding(
  tools: Tools,
  file: CleanCopy,
  probed: ProbedMovie,
  { picture, sound }: { picture: Picture; sound: Stream | undefined },
): Promise<DecodedMovie> {
  const threads = decoderThreads(tools, { ...picture, pixelFormat: picture.pix_fmt })
  const tracks = [picture, sound].flatMap(track => track?.index ?? [])
  const decoded = await decodeMovie(tools, file, { ...picture, threads, tracks })
  checkFrames(decoded, picture, packetsOf(probed, picture).length)
  checkSound(decoded, probed, sound)
  return decoded
}

/** Display size: sample aspect applied to the ratio, sides swapped at a quarter turn. */
function displaySizeOf({ width, height, sample_aspect_ratio = '', side_data_list }: Picture) {
  const ratio = (width * (quotient(sample_aspect_ratio) || 1)) / height
  const rotation = side_data_list?.find(data => data.rotation !== undefined)?.rotation ?? 0
  const turned = Math.abs(Math.round(rotation / 90)) % 2 === 1
  return turned ? { width: height, height: width, ratio: 1 / ratio } : { width, height, ratio }
}

/** Frames must have one size, and there must be one for each sample. */
function checkFrames({ frames }: DecodedMovie, size: Picture, samples: number): void {
  checkOneSize(frames, size)
  if (frames.length < samples - leadingFramesMax || frames.length === 0)
    throw reject('media_corrupt', { measured: `${frames.length} of ${samples} frames can be decoded`, limit: 'all frames' })
}

function checkSound({ soundSeconds }: DecodedMovie, probed: ProbedMovie, sound: Stream | undefined): void {
  if (!sound) return
  const packets = packetsOf(probed, sound)
  const durations = packets.map(({ duration = 0 }) => duration * quotient(sound.time_base))
  const coded = durations.reduce((sum, duration) => sum + duration, 0)
  if (soundSeconds < coded - codecDelayPackets * Math.max(...durations, 0))
    throw reject('media_corrupt', { measured: `${soundSeconds} of ${coded} s of sound can be decoded`, limit: 'all of it' })
}
