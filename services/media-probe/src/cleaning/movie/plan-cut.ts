import { reject } from '../../errors'
import { isHidden, isKeyFrame, type Packet, type ProbedMovie, packetsOf, quotient, type Stream } from '../../movie/probe-movie'
import { isReordered, readTimeline, typicalGap } from '../../movie/timeline'

/** The parts of the tracks that are shown and their time shifts, in ticks of the copy's time scales. */
export type CutPlan = { picture: PictureCut; sound: SoundCut | undefined; seconds: number }

/** In the client's time scale. */
export type PictureCut = {
  index: number
  timescale: number
  shift: number
  /** The first frame shifts less than the others by this. */
  firstFrameDelay: number
  end: number
  typicalDuration: number
  lastDuration: number
  frames: number
  hasKeyFrames: boolean
  /** Left out of a remuxed copy: packets that are shown before, and packets that are decoded after. */
  showFrom: number | undefined
  decodeTo: number | undefined
  /** The shown frames need frames that are not shown, so that only a decoder can separate them. */
  needsEncoding: boolean
}
/**
 * In a time scale of the sample rate. Packets from `keepFrom` to `keepTo` are kept; `usualDuration` replaces missing
 * durations. Joined pieces need a decoder: their packets' times overlap.
 */
export type SoundCut = {
  index: number
  shift: number
  end: number
  keepFrom: number
  keepTo: number
  usualDuration: number
  isJoined: boolean
}

/** A sound codec needs some packets before the first audible one; no encoder's lead-in is longer. */
const leadInPackets = 3
/** More than rounding makes of a packet's length. */
const stretchedRatio = 1.5
/** Lead-ins of encoders: ffmpeg's AAC, Fraunhofer's and Apple's; LAME; libopus, which counts at 48 kHz. */
const leadInSamples: Record<string, number[]> = { aac: [1_024, 2_048, 2_112], mp3: [1_105], opus: [312] }

/**
 * Plans a copy of the frames that a player shows, with the sound in between. Throws Failure<RejectionCode> if no frame
 * is shown.
 */
export function planCut(probed: ProbedMovie, picture: Stream, sound: Stream | undefined): CutPlan {
  const all = packetsOf(probed, picture)
  const firstKey = all.findIndex(isKeyFrame)
  const hasKeyFrames = firstKey >= 0
  const decodable = all.slice(Math.max(0, firstKey))
  const isShown = shownBy(decodable, hasKeyFrames)
  const packets = decodable.slice(0, decodable.findLastIndex(isShown) + 1)
  const shown = packets.filter(isShown)
  const timeline = readTimeline(shown, picture)
  if (!timeline) throw reject('media_corrupt', { measured: 'a movie that shows no frame', limit: 'a movie that plays' })
  const tick = quotient(picture.time_base)
  const { end, lastDuration, frames } = timeline
  const soundPackets = sound && packetsOf(probed, sound)
  const firstFrameDelay = soundPackets ? firstFrameLeadIn(shown, tick, soundPackets, sound) : 0
  const start = timeline.start + firstFrameDelay
  return {
    picture: {
      ...{ index: picture.index, timescale: Math.round(1 / tick), shift: start, firstFrameDelay, end, lastDuration, frames, hasKeyFrames },
      typicalDuration: typicalGap(shown.map(timeOf).sort((a, b) => a - b)),
      ...selectPackets(packets, isShown, picture.codec_name),
      decodeTo: packets.length < decodable.length ? packets.at(-1)?.dts : undefined,
    },
    sound: sound && soundPackets && cutSound(soundPackets, sound, start * tick, end * tick),
    seconds: (end - start) * tick,
  }
}

/**
 * Whether a player shows a packet's frame. ffprobe marks what edit lists hide, but in fragments such frames only have
 * times before zero. Frames that precede the first key frame refer to frames that are missing.
 */
function shownBy(decodable: Packet[], hasKeyFrames: boolean): (packet: Packet) => boolean {
  const halfFrame = typicalGap(decodable.map(timeOf).sort((a, b) => a - b)) / 2
  const [key] = decodable
  const from = Math.max(-halfFrame, hasKeyFrames && key ? timeOf(key) : Number.NEGATIVE_INFINITY)
  // A hidden key frame has a time before zero.
  return packet => !isHidden(packet) && timeOf(packet) >= from
}

/**
 * The packets from the last key frame before the first shown frame. HEVC permits to leave out the frames that are shown
 * before their key frame; no other hidden frame can be left out, because shown ones may refer to it.
 */
function selectPackets(
  packets: Packet[],
  isShown: (packet: Packet) => boolean,
  codec: string | undefined,
): Pick<PictureCut, 'showFrom' | 'needsEncoding'> {
  const firstShown = packets.findIndex(isShown)
  const from = Math.max(0, packets.slice(0, firstShown + 1).findLastIndex(isKeyFrame))
  const needed = packets.slice(from)
  const keyTime = timeOf(needed[0] ?? packets[firstShown])
  const precedes = (packet: Packet) => timeOf(packet) < keyTime
  const hidden = needed.filter(packet => !isShown(packet))
  const canDrop = codec === 'hevc' && hidden.every(precedes)
  return {
    showFrom: from > 0 || hidden.length > 0 ? keyTime : undefined,
    needsEncoding: (hidden.length > 0 && !canDrop) || needed.some(packet => isShown(packet) && precedes(packet)),
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
  const near = packets.filter(packet => endOf(packet, leadIn) > start && timeOf(packet) < end)
  // Fragments stretch a lead-in packet, and ffmpeg then skips as much of the audible sound.
  const isStretched = (packet: Packet, index: number) => timeOf(near[index + 1]) - timeOf(packet) > stretchedRatio * usual
  const kept = near.slice(near.findLastIndex((packet, index) => timeOf(near[index + 1]) <= start && isStretched(packet, index)) + 1)
  if (!sample_rate || !kept.some(packet => endOf(packet) > start)) return undefined
  const times = kept.map(timeOf)
  const toCopy = tick * Number(sample_rate)
  const audible = packets.slice(
    packets.findIndex(packet => !isHidden(packet)),
    packets.findLastIndex(packet => !isHidden(packet)),
  )
  // Rounding must not drop the first or last packet.
  return {
    index,
    shift: Math.round(from * Number(sample_rate)),
    end: Math.round(to * Number(sample_rate)),
    keepFrom: Math.floor(Math.min(...times) * toCopy),
    keepTo: Math.ceil(Math.max(...times) * toCopy),
    usualDuration: Math.round(usual * toCopy),
    isJoined: audible.some(isHidden),
  }
}

const timeOf = ({ pts = 0 }: Partial<Packet> = {}): number => pts
