/** What of a dead-letter topic has been sent back: all offsets below `next`, and these ranges above it, ends included. */
export type Replayed = { next: number; ranges: [from: number, to: number][] }

/** The broker keeps 4,096 bytes beside an offset. */
const textCharactersMax = 4_000

export class TooManyGaps extends Error {
  override name = 'TooManyGaps'
}

export const isReplayed = ({ next, ranges }: Replayed, offset: number): boolean =>
  offset < next || ranges.some(([from, to]) => offset >= from && offset <= to)

/** With these offsets, in any order, as well. */
export function withReplayed({ next, ranges }: Replayed, offsets: number[]): Replayed {
  const all = [...ranges, ...offsets.map((offset): [number, number] => [offset, offset])].sort(([a], [b]) => a - b)
  let low = next
  const merged: [number, number][] = []
  for (const [from, to] of all) {
    const last = merged.at(-1)
    if (from <= low) low = Math.max(low, to + 1)
    else if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return { next: low, ranges: merged }
}

/** Beside the offset `next`: `7,9-12`. */
export function writeRanges({ ranges }: Replayed): string {
  const text = ranges.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(',')
  if (text.length > textCharactersMax) throw new TooManyGaps(`${ranges.length} separate letters were replayed before others of their topic`)
  return text
}

export const readRanges = (text: string): Replayed['ranges'] =>
  [...text.matchAll(/(\d+)(?:-(\d+))?/g)].map(([, from, to]) => [Number(from), Number(to ?? from)])
