import { reject } from '../errors'
import { blankAncillary } from './mp3/blank-ancillary'
import type { Frame } from './mp3/frame'
import { readInfoFrame, type Trim, writeInfoFrame } from './mp3/info-frame'
import { chainFrames, type Mp3Scan, noMp3SoundFault, scanMp3 } from './mp3/scan'

export type CleanMp3 = {
  buffers: Buffer[]
  sampleRate: number
  channels: number
  /** The length in players that trim, and in those that don't. */
  seconds: number
  untrimmedSeconds: number
  frameSeconds: number
  /** The encoder's padding is known. */
  trimmed: boolean
}

/** Maximum trim that is trusted: LAME's delay and padding are shorter at every rate. */
export const trimmedFramesMax = 4
/** The decoder's own delay, as in ffmpeg and LAME. */
const decoderDelaySamples = 529
/** Together with the header frame, enough for readers of the copy to detect MP3. */
const framesMin = chainFrames - 1
/** Some encoders count the header frame. */
const countTolerance = 1

/**
 * Copies only the frames of an MP3, without ancillary data, after a new header that counts them. Drops other Xing,
 * Info and VBRI headers, which some players play as silence. Throws if the file is damaged or no MP3.
 */
export function cleanMp3(bytes: Buffer): CleanMp3 {
  const scan = scanMp3(bytes)
  const infos = scan.frames.map(({ offset, frame }) => readInfoFrame(bytes, offset, frame))
  const sound = scan.frames.filter((_, index) => !infos[index])
  const frames = sound.map(({ frame }) => frame)
  const counted = infos[0]?.frames
  if (scan.cut && counted !== undefined && counted > frames.length + countTolerance) throw truncatedFault(scan, frames, counted)
  const [lead] = sound
  if (!lead) throw reject('media_corrupt', { measured: 'an MP3 without a frame of sound', limit: 'a whole MP3: export it anew' })
  if (frames.length < framesMin) throw noMp3SoundFault()
  const missing = counted === undefined ? undefined : counted - frames.length
  const trim = trustedTrim(infos[0]?.trim, missing, lead.frame, frames.length)
  const untrimmed = frames.length * lead.frame.samples
  const { sampleRate, channels } = lead.frame
  return {
    buffers: [writeInfoFrame(bytes.subarray(lead.offset, lead.offset + 4), lead.frame, frames, trim), soundOf(bytes, sound)],
    ...{ sampleRate, channels, trimmed: trim !== undefined },
    seconds: (untrimmed - trimmedSamples(trim)) / sampleRate,
    untrimmedSeconds: untrimmed / sampleRate,
    frameSeconds: lead.frame.samples / sampleRate,
  }
}

/**
 * The delay is always at the start. Padding is trusted only at the end of the counted frames. Neither may hide audible
 * sound.
 */
function trustedTrim(trim: Trim | undefined, missing: number | undefined, { samples }: Frame, frames: number): Trim | undefined {
  if (!trim) return undefined
  const isCounted = missing !== undefined && Math.abs(missing) <= countTolerance
  const { delay, padding } = { delay: trim.delay, padding: isCounted ? Math.max(0, trim.padding - Math.max(0, missing) * samples) : 0 }
  return frames > trimmedFramesMax && delay + padding <= trimmedFramesMax * samples ? { delay, padding } : undefined
}

const trimmedSamples = (trim: Trim | undefined) =>
  trim ? trim.delay + decoderDelaySamples + Math.max(0, trim.padding - decoderDelaySamples) : 0

/** Joins the frames and blanks their ancillary data. */
function soundOf(bytes: Buffer, sound: Mp3Scan['frames']): Buffer {
  const joined = Buffer.concat(runs(sound).map(({ from, to }) => bytes.subarray(from, to)))
  blankAncillary(
    joined,
    sound.map(({ frame }) => frame),
  )
  return joined
}

/** Merges adjacent frames. */
function runs(sound: Mp3Scan['frames']): { from: number; to: number }[] {
  const pieces: { from: number; to: number }[] = []
  for (const { offset, frame } of sound) {
    const last = pieces.at(-1)
    if (last?.to === offset) last.to += frame.bytes
    else pieces.push({ from: offset, to: offset + frame.bytes })
  }
  return pieces
}

function truncatedFault({ first }: Mp3Scan, frames: Frame[], counted: number) {
  const seconds = (count: number) => `${((count * first.samples) / first.sampleRate).toFixed(1)} s`
  return reject('media_corrupt', {
    measured: `an MP3 that breaks off after ${seconds(frames.length)} of ${seconds(counted)}`,
    limit: 'the whole file: upload it again',
  })
}
