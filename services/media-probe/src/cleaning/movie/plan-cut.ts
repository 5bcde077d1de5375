import { reject } from '../../errors'
import { isHidden, isKeyFrame, type Packet, type ProbedMovie, packetsOf, quotient, type Stream } from '../../movie/probe-movie'
import { isReordered, readTimeline, typicalGap } from '../../movie/timeline'

/** What of the tracks goes into the copy and how far its times move, in ticks of the copy's own time scales. */
export type CutPlan = { picture: PictureCut; sound: SoundCut | undefined }

/** Its time scale is the client's. */
export type PictureCut = {
  index: number
  timescale: number
  shift: number
  /** What the first frame moves less than the others. */
  firstFrameDelay: number
  lastDuration: number
  frames: number
  hasHiddenTail: boolean
  hasKeyFrames: boolean
}
/** Its time scale is the sound's rate; packets between the two times are kept, and last `usualDuration` where none is listed. */
export type SoundCut = { index: number; shift: number; keepFrom: number; keepTo: number; usualDuration: number }

/** A sound codec needs some packets to swing into what is heard first: no encoder's lead-in is longer than this. */
const leadInPackets = 3
/** What encoders put before a sound: ffmpeg's AAC, Fraunhofer's and Apple's; LAME; libopus, which counts at 48 kHz. */
const leadInSamples: Record<string, number[]> = { aac: [1_024, 2_048, 2_112], mp3: [1_105], opus: [312] }

/**
 * Lays the copy out: from the key frame that the first shown frame needs to the last shown frame's own end, with the sound that is heard
 * meanwhile. Throws Failure<RejectionCode> where nothing is shown, or where that can't be had without pictures that were hidden.
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
 * A writer of fragments without edit lists can't say that sound begins with an encoder's lead-in: the picture's first frame then lies where
 * the lead-in does, and lasts longer by it (ffmpeg's `empty_moov`). Returns those ticks, which are no part of the film: where picture and
 * sound begin together, and the first frame outlasts the second by a lead-in of the sound's codec.
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

/** Up to the last frame that is shown, and those that lie before it in time however late they are decoded. */
function withoutHiddenTail(packets: Packet[]): Packet[] {
  const lastShown = packets.findLastIndex(packet => !isHidden(packet))
  const latest = Math.max(...packets.slice(0, lastShown + 1).map(timeOf))
  return packets.slice(0, packets.findLastIndex(packet => timeOf(packet) <= latest) + 1)
}

/** An edit list that joins pieces brings the frames along that their beginnings need, which would be seen between others. */
function refuseJoinedPieces(packets: Packet[]): void {
  const shown = packets.filter(packet => !isHidden(packet)).map(timeOf)
  const [first, last] = [Math.min(...shown), Math.max(...shown)]
  if (packets.some(packet => isHidden(packet) && timeOf(packet) > first && timeOf(packet) < last))
    throw reject('media_corrupt', { measured: 'a movie of pieces that an edit list joins', limit: 'one piece: export it again' })
}

/** The packets that are heard between two moments and those they need before them; undefined where there are none. */
function cutSound(
  packets: Packet[],
  { index, time_base, sample_rate, codec_name = '' }: Stream,
  from: number,
  to: number,
): SoundCut | undefined {
  const tick = quotient(time_base)
  const [start, end] = [from / tick, to / tick]
  const leadIn = codec_name.startsWith('pcm_') ? 0 : leadInPackets
  // Fragments of Opus list packets without a length.
  const usual = typicalGap(packets.map(timeOf))
  const endOf = (packet: Packet, more = 0) => timeOf(packet) + (1 + more) * (packet.duration || usual)
  const kept = packets.filter(packet => endOf(packet, leadIn) > start && timeOf(packet) < end)
  if (!sample_rate || !kept.some(packet => endOf(packet) > start)) return undefined
  const times = kept.map(timeOf)
  const toCopy = tick * Number(sample_rate)
  // Half a tick of either scale off, a packet is still the one that was meant.
  return {
    index,
    shift: Math.round(from * Number(sample_rate)),
    keepFrom: Math.floor(Math.min(...times) * toCopy),
    keepTo: Math.ceil(Math.max(...times) * toCopy),
    usualDuration: Math.round(usual * toCopy),
  }
}

const timeOf = ({ pts = 0 }: Packet): number => pts
