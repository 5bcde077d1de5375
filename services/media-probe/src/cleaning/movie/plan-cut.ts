import { reject } from '../../errors'
import { isHidden, isKeyFrame, type Packet, type ProbedMovie, packetsOf, quotient, type Stream } from '../../movie/probe-movie'
import { isReordered, readTimeline, typicalGap } from '../../movie/timeline'

/** The parts of the tracks that are copied and their time shifts, in ticks of the copy's time scales. */
export type CutPlan = { picture: PictureCut; sound: SoundCut | undefined }

/** In the client's time scale. */
export type PictureCut = {
  index: number
  timescale: number
  shift: number
  /** The first frame shifts less than the others by this. */
  firstFrameDelay: number
  lastDuration: number
  frames: number
  hasHiddenTail: boolean
  hasKeyFrames: boolean
}
/**
 * In a time scale of the sample rate. Packets from `keepFrom` to `keepTo` are kept; `usualDuration` replaces missing
 * durations.
 */
export type SoundCut = { index: number; shift: number; keepFrom: number; keepTo: number; usualDuration: number }

/** A sound codec needs some packets before the first audible one; no encoder's lead-in is longer. */
const leadInPackets = 3
/** Lead-ins of encoders: ffmpeg's AAC, Fraunhofer's and Apple's; LAME; libopus, which counts at 48 kHz. */
const leadInSamples: Record<string, number[]> = { aac: [1_024, 2_048, 2_112], mp3: [1_105], opus: [312] }

/**
 * Plans the copy from the key frame of the first shown frame to the end of the last one, with the sound in between.
 * Throws Failure<RejectionCode> if no frame is shown, or if hidden frames would become visible.
 */
export function planCut(probed: ProbedMovie, picture: Stream, sound: Stream | undefined): CutPlan {
  const all = packetsOf(probed, picture)
  const firstKey = all.findIndex(isKeyFrame)
  const decodable = all.slice(Math.max(0, firstKey))
  const packets = withoutHiddenTail(decodable)
  const timeline = readTimeline(packets, picture)
  if (!timeline) throw reject('media_corrupt', { measured: 'a movie that shows no frame', limit: 'a movie that plays' })
  refuseJoinedPieces(packets)
  const tick = quotient(picture.time_base)
  const { end, lastDuration, frames } = timeline
  const soundPackets = sound && packetsOf(probed, sound)
  const firstFrameDelay = soundPackets ? firstFrameLeadIn(packets, tick, soundPackets, sound) : 0
  const start = timeline.start + firstFrameDelay
  return {
    picture: {
      index: picture.index,
      timescale: Math.round(1 / tick),
      shift: start,
      firstFrameDelay,
      lastDuration,
      frames,
      hasHiddenTail: packets.length < decodable.length,
      hasKeyFrames: firstKey >= 0,
    },
    sound: sound && soundPackets && cutSound(soundPackets, sound, start * tick, end * tick),
  }
}

/**
 * Fragmented files without edit lists (ffmpeg's `empty_moov`) extend the first frame by the sound's lead-in.
 * Returns those ticks if both tracks start together and the first frame is longer by a known lead-in.
 */
function firstFrameLeadIn(
  packets: Packet[],
  tick: number,
  soundPackets: Packet[],
  { time_base, sample_rate, codec_name = '' }: Stream,
): number {
  const [first, second, third] = packets.map(timeOf)
  const [sound] = soundPackets
  if (first === undefined || second === undefined || third === undefined || !sound || isReordered(packets)) return 0
  const excess = 2 * second - first - third
  const soundTick = quotient(time_base)
  const same = (one: number, other: number) => Math.abs(one - other) <= tick + soundTick
  const startTogether = same(first * tick, timeOf(sound) * soundTick)
  const isLeadIn = leadInSamples[codec_name]?.some(samples => same(excess * tick, samples / Number(sample_rate)))
  return startTogether && isLeadIn ? excess : 0
}

/** Packets up to the last shown frame, including earlier frames that are decoded later. */
function withoutHiddenTail(packets: Packet[]): Packet[] {
  const lastShown = packets.findLastIndex(packet => !isHidden(packet))
  const latest = Math.max(...packets.slice(0, lastShown + 1).map(timeOf))
  return packets.slice(0, packets.findLastIndex(packet => timeOf(packet) <= latest) + 1)
}

/** If an edit list joins pieces, the hidden frames that each piece needs would become visible. */
function refuseJoinedPieces(packets: Packet[]): void {
  const shown = packets.filter(packet => !isHidden(packet)).map(timeOf)
  const [first, last] = [Math.min(...shown), Math.max(...shown)]
  if (packets.some(packet => isHidden(packet) && timeOf(packet) > first && timeOf(packet) < last))
    throw reject('media_corrupt', { measured: 'a movie of pieces that an edit list joins', limit: 'one piece: export it again' })
}

/** Audible packets between two times plus those the codec needs before them; undefined if there are none. */
function cutSound(
  packets: Packet[],
  { index, time_base, sample_rate, codec_name = '' }: Stream,
  from: number,
  to: number,
): SoundCut | undefined {
  const tick = quotient(time_base)
  const [start, end] = [from / tick, to / tick]
  const leadIn = codec_name.startsWith('pcm_') ? 0 : leadInPackets
  // Fragments of Opus have packets without a duration.
  const usual = typicalGap(packets.map(timeOf))
  const endOf = (packet: Packet, more = 0) => timeOf(packet) + (1 + more) * (packet.duration || usual)
  const kept = packets.filter(packet => endOf(packet, leadIn) > start && timeOf(packet) < end)
  if (!sample_rate || !kept.some(packet => endOf(packet) > start)) return undefined
  const times = kept.map(timeOf)
  const toCopy = tick * Number(sample_rate)
  // Rounding must not drop the first or last packet.
  return {
    index,
    shift: Math.round(from * Number(sample_rate)),
    keepFrom: Math.floor(Math.min(...times) * toCopy),
    keepTo: Math.ceil(Math.max(...times) * toCopy),
    usualDuration: Math.round(usual * toCopy),
  }
}

const timeOf = ({ pts = 0 }: Packet): number => pts
