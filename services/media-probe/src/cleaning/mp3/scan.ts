import { reject } from '../../errors'
import { type Frame, isFreeFormat, isSameFormat, readFrame } from './frame'
import { tagBytes } from './tags'

/**
 * Total unknown bytes to skip before and within the sound, as far as ffmpeg and most players search for a frame.
 * More within the sound is damage. After the last frame there is no limit.
 */
export const unknownBytesMax = 65_536
/** Maximum number of resyncs, each of which searches again. */
const resyncsMax = 256
const tagHeadBytes = 32
/** Over half an hour at 24 ms each; no card allows a minute. Each frame costs memory. */
const framesMax = 100_000
/** This many consecutive frames count as MP3; chance makes one valid header in about 12,000. */
export const chainFrames = 3

export type Mp3Scan = {
  first: Frame
  /** All frames in file order. */
  frames: { offset: number; frame: Frame }[]
  /** The file ends inside a frame. */
  cut: boolean
}

/**
 * Finds all layer III frames between tags, zeros and a few unknown bytes. Throws `media_corrupt` without sound or with
 * unknown data inside it, and `media_type_unsupported` for formats that players disagree on.
 */
export function scanMp3(bytes: Buffer): Mp3Scan {
  const frames: Mp3Scan['frames'] = []
  let first: Frame | undefined
  let unknownBytes = 0
  let resyncs = 0
  let cut = false
  for (let at = 0; at < bytes.length; ) {
    const frame = readFrame(bytes, at)
    const fits = frame && (first ? isSameFormat(first, frame) : startsChain(bytes, at, frame))
    if (fits) {
      cut = at + frame.bytes > bytes.length
      if (cut) break
      first ??= frame
      frames.push({ offset: at, frame })
      if (frames.length > framesMax) throw tooLongFault()
      at += frame.bytes
      continue
    }
    if (frame && first && startsChain(bytes, at, frame)) throw formatChangeFault(first, frame)
    const passed = at + (zeroBytes(bytes, at) || wholeTagBytes(bytes, at))
    if (passed > at) {
      at = passed
      continue
    }
    const next = resyncs < resyncsMax ? nextKnown(bytes, at + 1, at + unknownBytesMax - unknownBytes, first) : undefined
    if (next === undefined && first && nextFrame(bytes, at + 1, bytes.length, first) !== undefined) throw interruptionFault(frames)
    if (next === undefined) break
    resyncs += 1
    unknownBytes += next - at
    at = next
  }
  if (!first) throw noSoundFault(bytes)
  return { first, frames, cut }
}

function zeroBytes(bytes: Buffer, at: number): number {
  let end = at
  while (bytes[end] === 0) end += 1
  return end - at
}

function wholeTagBytes(bytes: Buffer, at: number): number {
  const length = tagBytes(bytes, at)
  if (at + length > bytes.length)
    throw reject('media_corrupt', {
      measured: `an MP3 with a tag of ${length} bytes that goes on behind its end`,
      limit: 'a whole MP3: export it anew, or send WAV',
    })
  return length
}

/** Whether frames of the same format follow. */
function startsChain(bytes: Buffer, offset: number, from: Frame): boolean {
  let at = offset + from.bytes
  for (let count = 1; count < chainFrames; count += 1) {
    const frame = readFrame(bytes, at)
    if (!frame || !isSameFormat(from, frame)) return false
    at += frame.bytes
  }
  return true
}

/** The next frame or tag before `end`; undefined if there is none. */
function nextKnown(bytes: Buffer, from: number, end: number, first: Frame | undefined): number | undefined {
  const tagAt = nextTag(bytes.subarray(0, end + tagHeadBytes), from)
  return nextFrame(bytes, from, Math.min(end, tagAt ?? end), first) ?? tagAt
}

/** The next chain of frames, of the format of `first` if given. */
export function nextFrame(bytes: Buffer, from: number, end: number, first?: Frame): number | undefined {
  for (let at = bytes.indexOf(0xff, from); at !== -1 && at <= end; at = bytes.indexOf(0xff, at + 1)) {
    const frame = readFrame(bytes, at)
    if (frame && (!first || isSameFormat(first, frame)) && startsChain(bytes, at, frame)) return at
  }
  return undefined
}

function nextTag(bytes: Buffer, from: number): number | undefined {
  const found = ['ID3', 'APETAGEX'].map(tag => bytes.indexOf(tag, from, 'latin1')).filter(at => at !== -1 && tagBytes(bytes, at) > 0)
  return found.length === 0 ? undefined : Math.min(...found)
}

function noSoundFault(bytes: Buffer) {
  for (let at = bytes.indexOf(0xff); at !== -1; at = bytes.indexOf(0xff, at + 1))
    if (isFreeFormat(bytes, at))
      return reject('media_type_unsupported', {
        measured: 'an MP3 in the free format, with a bit rate of its own',
        limit: 'MP3 of a usual bit rate (8–320 kbit/s), or WAV: convert it',
      })
  return noMp3SoundFault()
}

const tooLongFault = () =>
  reject('media_duration', { measured: 'an MP3 of over half an hour', limit: 'the seconds that the model takes: cut it' })

export const noMp3SoundFault = () =>
  reject('media_corrupt', { measured: 'a file without MP3 sound', limit: 'MP3 or WAV: open it in a sound editor and export it as one' })

const formatChangeFault = (first: Frame, other: Frame) =>
  reject('media_corrupt', {
    measured: `an MP3 that changes from ${describe(first)} to ${describe(other)} in its middle`,
    limit: 'one recording: export it anew as one MP3',
  })

const describe = ({ sampleRate, channels }: Frame) => `${sampleRate} Hz ${channels === 1 ? 'mono' : 'stereo'}`

function interruptionFault(frames: Mp3Scan['frames']) {
  const seconds = frames.reduce((sum, { frame }) => sum + frame.samples / frame.sampleRate, 0)
  return reject('media_corrupt', {
    measured: `an MP3 with something else within its sound, after ${seconds.toFixed(1)} s`,
    limit: 'an undamaged MP3: export it anew, or send WAV',
  })
}
