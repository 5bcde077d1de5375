import { reject } from '../../errors'
import { type Frame, isFreeFormat, isSameFormat, readFrame } from './frame'
import { tagBytes } from './tags'

/**
 * Bytes that are neither frame, tag nor zeros are passed over for so far in front of the sound and within it, all together: as far as
 * ffmpeg, and so most players, look for a frame. More in the middle of the sound is damage. Behind the last frame there is no bound.
 */
export const unknownBytesMax = 65_536
/** In so many pieces at most, each of which is looked for anew. */
const resyncsMax = 256
const tagHeadBytes = 32
/** Of at least 24 ms each: over half an hour, of which no card allows a minute. What is known of each frame takes memory. */
const framesMax = 100_000
/** So many frames that follow each other are believed to be some; chance makes one header of four bytes in some twelve thousand. */
export const chainFrames = 3

export type Mp3Scan = {
  first: Frame
  /** Where each frame lies, in order, as the encoder wrote them. */
  frames: { offset: number; frame: Frame }[]
  /** The file ends within a frame. */
  cut: boolean
}

/**
 * Finds every layer III frame of the file, past tags of all kinds, zeros, and a little of what is neither. Throws `media_corrupt` where no
 * sound is found or something else lies within it, `media_type_unsupported` where frames are of a kind that no player agrees on.
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

/** Whether frames alike follow from here. */
function startsChain(bytes: Buffer, offset: number, from: Frame): boolean {
  let at = offset + from.bytes
  for (let count = 1; count < chainFrames; count += 1) {
    const frame = readFrame(bytes, at)
    if (!frame || !isSameFormat(from, frame)) return false
    at += frame.bytes
  }
  return true
}

/** The next place before `end` where the sound begins or goes on, or a tag begins; undefined where neither comes. */
function nextKnown(bytes: Buffer, from: number, end: number, first: Frame | undefined): number | undefined {
  const tagAt = nextTag(bytes.subarray(0, end + tagHeadBytes), from)
  return nextFrame(bytes, from, Math.min(end, tagAt ?? end), first) ?? tagAt
}

/** Where frames, like `first` where there is one, follow each other. */
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
