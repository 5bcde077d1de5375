import type { Packet, Stream } from './probe-movie'

/** A picture track laid out as it is seen, in ticks of its time base. */
export type Timeline = {
  frames: number
  start: number
  /** Behind the last frame's own duration. */
  end: number
  lastDuration: number
}

/**
 * Lays a track's frames out in the order they are seen. Undefined where none has a time. Where frames are decoded in another order than
 * they are seen in, ffprobe guesses durations; the last frame's then follows from the track's own length, or is that of the others.
 */
export function readTimeline(packets: Packet[], { start_pts = 0, duration_ts = 0, nb_frames }: Partial<Stream>): Timeline | undefined {
  const timed = packets.filter((packet): packet is Packet & { pts: number } => packet.pts !== undefined).sort((a, b) => a.pts - b.pts)
  const [first, last] = [timed[0], timed.at(-1)]
  if (!first || !last) return undefined
  const typical = typicalGap(timed.map(({ pts }) => pts))
  const fromTrack = Number(nb_frames) >= timed.length ? start_pts + duration_ts - last.pts : 0
  const stated = isReordered(timed) || !last.duration ? fromTrack : last.duration
  const lastDuration = stated > typical / 2 ? stated : typical
  return { frames: timed.length, start: first.pts, end: last.pts + lastDuration, lastDuration }
}

/** Are frames decoded in another order than they are seen in? */
export const isReordered = (packets: Packet[]): boolean => packets.some(({ pts, dts = pts }) => pts !== dts)

/** The median of the distances between times that grow; 0 of fewer than two. */
export function typicalGap(times: number[]): number {
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  return gaps.sort((a, b) => a - b)[gaps.length >> 1] ?? 0
}
