import type { Packet, Stream } from './probe-movie'

/** A picture track in display order, in ticks of its time base. */
export type Timeline = {
  frames: number
  start: number
  /** After the last frame's own duration. */
  end: number
  lastDuration: number
}

/**
 * Orders a track's frames for display; undefined if none has a time. ffprobe guesses durations of reordered frames,
 * so the last one follows from the track's length or the typical gap.
 */
export function readTimeline(packets: Packet[], { start_pts = 0, duration_ts = 0, nb_frames }: Partial<Stream>): Timeline | undefined {
  const timed = packets.filter((packet): packet is Packet & { pts: number } => packet.pts !== undefined).sort((a, b) => a.pts - b.pts)
  const [first, last] = [timed[0], timed.at(-1)]
  if (!first || !last) return undefined
  const typical = typicalGap(timed.map(({ pts }) => pts))
  // Of a track that begins with an empty edit, the length counts from zero.
  const countsFromZero = start_pts > typical && duration_ts - last.pts > typical / 2
  const trackEnd = countsFromZero ? duration_ts : start_pts + duration_ts
  const fromTrack = Number(nb_frames) >= timed.length ? trackEnd - last.pts : 0
  const stated = isReordered(timed) || !last.duration ? fromTrack : last.duration
  const lastDuration = stated > typical / 2 ? stated : typical
  return { frames: timed.length, start: first.pts, end: last.pts + lastDuration, lastDuration }
}

/** Whether decoding order differs from display order. */
export const isReordered = (packets: Packet[]): boolean => packets.some(({ pts, dts = pts }) => pts !== dts)

/** More than rounding to a coarse time scale makes of a constant rate. */
const variableRatio = 1.5

/** Whether some frames are shown much longer than others, as phones and recorders of screens write them. */
export function hasVariableRate(packets: Packet[]): boolean {
  const times = packets.map(({ pts = 0 }) => pts).sort((a, b) => a - b)
  const gaps = gapsOf(times).sort((a, b) => a - b)
  return (gaps.at(-1) ?? 0) > variableRatio * (gaps[0] ?? 0)
}

/** Median distance between ascending times; 0 for fewer than two. */
export function typicalGap(times: number[]): number {
  const gaps = gapsOf(times).sort((a, b) => a - b)
  return gaps[gaps.length >> 1] ?? 0
}

const gapsOf = (times: number[]): number[] => times.slice(1).map((time, index) => time - (times[index] ?? 0))
