import type { Frame } from './frame'

/** The position of a frame's main data in the joined data of all frames; it often starts in an earlier frame. */
type MainData = { beginsAt: number; endsAt: number }

const headerBytes = 4
const checksumBytes = 2

/**
 * Zeroes the ancillary data between frames' main data, such as encoder names. No decoder plays them.
 * `bytes` are the frames without gaps.
 */
export function blankAncillary(bytes: Buffer, frames: Frame[]): void {
  const areas: { from: number; to: number; streamAt: number }[] = []
  const sounds: MainData[] = []
  let streamAt = 0
  let offset = 0
  for (const frame of frames) {
    const isProtected = ((bytes[offset + 1] ?? 0) & 1) === 0
    const sideAt = offset + headerBytes + (isProtected ? checksumBytes : 0)
    const from = offset + frame.tagAt + (isProtected ? checksumBytes : 0)
    const to = Math.max(from, offset + frame.bytes)
    areas.push({ from, to, streamAt })
    sounds.push(readMainData(bytes, sideAt, frame, streamAt))
    streamAt += to - from
    offset += frame.bytes
  }
  let area = 0
  let usedTo = 0
  for (const { beginsAt, endsAt } of [...sounds, { beginsAt: streamAt, endsAt: streamAt }]) {
    for (let at = usedTo; at < beginsAt; ) {
      while (areas[area] && at >= endOf(areas[area])) area += 1
      const within = areas[area]
      if (!within) break
      const until = Math.min(beginsAt, endOf(within))
      bytes.fill(0, within.from + at - within.streamAt, within.from + until - within.streamAt)
      at = until
    }
    usedTo = Math.max(usedTo, endsAt)
  }
}

const endOf = (area: { from: number; to: number; streamAt: number } | undefined) =>
  area ? area.streamAt + area.to - area.from : Number.POSITIVE_INFINITY

/** ISO 11172-3, 2.4.1.7, and 13818-3: the backward offset of the main data, and bits of each channel and granule. */
function readMainData(bytes: Buffer, sideAt: number, { version, channels }: Frame, streamAt: number): MainData {
  const isFirst = version === 3
  const backBits = isFirst ? 9 : 8
  const privateBits = isFirst ? (channels === 1 ? 5 : 3) : channels
  const granules = isFirst ? 2 : 1
  const granuleBits = isFirst ? 59 : 63
  const tableBits = backBits + privateBits + (isFirst ? 4 * channels : 0)
  const beginsAt = streamAt - readBits(bytes, sideAt, 0, backBits)
  let bits = 0
  for (let part = 0; part < granules * channels; part += 1) bits += readBits(bytes, sideAt, tableBits + part * granuleBits, 12)
  return { beginsAt, endsAt: beginsAt + Math.ceil(bits / 8) }
}

/** Reads at most twelve bits, which span at most three bytes. */
function readBits(bytes: Buffer, offset: number, bit: number, count: number): number {
  const at = offset + (bit >> 3)
  const three = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
  return (three >> (24 - (bit & 7) - count)) & ((1 << count) - 1)
}
