/** The dispatcher takes 31 days at most; a week is read well within its time. */
const portionMs = 7 * 86_400_000

/** A time in the portions that are asked for, one after the other without a gap. */
export function eachPortion(from: string, to: string): { from: string; to: string }[] {
  const [begin, end] = [Date.parse(from), Date.parse(to)]
  const iso = (atMs: number) => new Date(atMs).toISOString()
  return Array.from({ length: Math.max(0, Math.ceil((end - begin) / portionMs)) }, (_, index) => ({
    from: iso(begin + index * portionMs),
    to: iso(Math.min(end, begin + (index + 1) * portionMs)),
  }))
}
