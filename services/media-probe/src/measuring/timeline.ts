/** A packet in its stream's own units; `pts` is absent where the file gives none. */
export type Packet = { stream_index: number; pts?: number; duration?: number }

export type Timeline = {
  frames: number
  seconds: number
  /** Frames a second over the whole length, and the most and the fewest in any whole second of it. */
  rate: { average: number; busiest: number; sparsest: number }
}

/** Lays a stream's packets out in presentation order. Undefined where there are none with a time. */
export function readTimeline(packets: Packet[], timeBase: number): Timeline | undefined {
  const timed = packets.filter((packet): packet is Packet & { pts: number } => packet.pts !== undefined).sort((a, b) => a.pts - b.pts)
  const [first, last] = [timed[0], timed.at(-1)]
  if (!first || !last) return undefined
  const typicalGap = timed.length > 1 ? (last.pts - first.pts) / (timed.length - 1) : 0
  const seconds = (last.pts - first.pts + (last.duration || typicalGap)) * timeBase
  const times = timed.map(packet => (packet.pts - first.pts) * timeBase)
  return { frames: timed.length, seconds, rate: { average: seconds > 0 ? timed.length / seconds : 0, ...extremes(times, seconds) } }
}

/** Counts over windows of one second that begin at each frame and lie within the length. */
function extremes(times: number[], seconds: number): { busiest: number; sparsest: number } {
  const windowSeconds = 1
  let busiest = 0
  let sparsest = times.length
  let end = 0
  for (const [start, time] of times.entries()) {
    while (end < times.length && (times[end] ?? 0) < time + windowSeconds - 1e-6) end += 1
    busiest = Math.max(busiest, end - start)
    if (time + windowSeconds <= seconds + 1e-6) sparsest = Math.min(sparsest, end - start)
  }
  return { busiest, sparsest }
}
