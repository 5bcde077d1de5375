import type { Busy } from './watch-busy'

/** One arrival at one replica: when it came and when it was answered, by one clock that all share, and whether all took from Redis. */
export type Decision = {
  key: string
  replica: number
  sentMs: number
  atMs: number
  came: 'taken' | 'refused' | 'undecided'
  well: boolean
}

/**
 * The most that one window let through of one key, counting only what certainly lies within: asked after its beginning and answered
 * before its end.
 */
export function mostInOneWindow(decisions: Decision[], windowMs: number): number {
  let most = 0
  for (const taken of byKey(decisions.filter(({ came }) => came === 'taken')).values()) {
    const [sent, at] = [sorted(taken.map(({ sentMs }) => sentMs)), sorted(taken.map(({ atMs }) => atMs))]
    let before = 0
    for (const [index, endMs] of at.entries()) {
      while ((sent[before] ?? Number.POSITIVE_INFINITY) <= endMs - windowMs) before++
      most = Math.max(most, index + 1 - before)
    }
  }
  return most
}

/**
 * Refusals although fewer than the limit were let through in the window before, even if each counts that may lie within. `judged` are those
 * for which Redis was well for as long as what came before may count.
 */
export function refusedTooSoon(decisions: Decision[], windowMs: number, limit: number): { judged: number; tooSoon: Decision[] } {
  const unwell = sorted(decisions.flatMap(({ well, came, atMs }) => (well && came !== 'undecided' ? [] : [atMs])))
  const refused = [...byKey(decisions).values()].flatMap(all => {
    const taken = all.filter(({ came }) => came === 'taken')
    const [sent, at] = [sorted(taken.map(({ sentMs }) => sentMs)), sorted(taken.map(({ atMs }) => atMs))]
    return all.flatMap(decision => {
      const { came, sentMs, atMs } = decision
      const unwellMeanwhile = below(unwell, atMs + settleMs) - below(unwell, sentMs - windowMs - settleMs)
      if (came !== 'refused' || unwellMeanwhile > 0) return []
      return [{ decision, tooSoon: below(sent, atMs) - below(at, sentMs - windowMs) < limit }]
    })
  })
  return { judged: refused.length, tooSoon: refused.flatMap(({ decision, tooSoon }) => (tooSoon ? [decision] : [])) }
}

/** How long each waited, without the time in which its replica's process was busy with other work; sorted. */
export function waitsMs(decisions: Decision[], busy: Busy[][]): Float64Array {
  return sorted(
    decisions.map(({ replica, sentMs, atMs }) => {
      const meanwhile = atMs - sentMs < shortMs ? [] : (busy[replica] ?? []).filter(({ fromMs, toMs }) => fromMs < atMs && toMs > sentMs)
      return meanwhile.reduce((ms, { fromMs, toMs }) => ms - (Math.min(toMs, atMs) - Math.max(fromMs, sentMs)), atMs - sentMs)
    }),
  )
}
const shortMs = 50

/** Requests that another replica let through count a little longer than its own. */
const settleMs = 500

const sorted = (numbers: number[]) => Float64Array.from(numbers).sort()

function byKey(decisions: Decision[]): Map<string, Decision[]> {
  return Map.groupBy(decisions, ({ key }) => key)
}

/** How many of the sorted are less. */
function below(numbers: Float64Array, limit: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low
}
