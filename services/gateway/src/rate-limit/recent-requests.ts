import type { RequestAges } from './token'

/** Requests of one slot count as let through at its end, so that none is forgotten too early. */
const slotMs = 50
type Slot = { endMs: number; count: number }

/** What was let through in the last window, by key. Times are of one clock that only goes forward. */
export type RecentRequests = {
  add(key: string, atMs: number, count?: number): void
  used(key: string, nowMs: number): number
  ages(nowMs: number): RequestAges
  /** Takes over what another replica told `agoMs` ago. */
  learn(ages: RequestAges, nowMs: number, agoMs: number): void
  sweep(nowMs: number): void
  readonly size: number
}

export function createRecentRequests(windowMs: number): RecentRequests {
  const slotsOf = new Map<string, Slot[]>()

  function live(key: string, nowMs: number): Slot[] {
    const slots = slotsOf.get(key) ?? []
    const first = slots.findIndex(({ endMs }) => endMs + windowMs > nowMs)
    if (first !== 0) slots.splice(0, first < 0 ? slots.length : first)
    if (slots.length === 0) slotsOf.delete(key)
    return slots
  }

  function add(key: string, atMs: number, count = 1): void {
    const endMs = Math.ceil(atMs / slotMs) * slotMs
    const slots = slotsOf.get(key)
    if (!slots) return void slotsOf.set(key, [{ endMs, count }])
    const last = slots.findLastIndex(slot => slot.endMs <= endMs)
    const slot = slots[last]
    if (slot?.endMs === endMs) slot.count += count
    else slots.splice(last + 1, 0, { endMs, count })
  }

  return {
    add,
    used: (key, nowMs) => live(key, nowMs).reduce((sum, { count }) => sum + count, 0),
    ages(nowMs) {
      const ages: RequestAges = {}
      for (const key of [...slotsOf.keys()]) {
        const slots = live(key, nowMs)
        if (slots.length) ages[key] = slots.map(({ endMs, count }) => `${Math.floor(nowMs - endMs)}:${count}`).join(' ')
      }
      return ages
    },
    learn(ages, nowMs, agoMs) {
      for (const [key, text] of Object.entries(ages))
        for (const entry of text.split(' ')) {
          const [age = 0, count = 0] = entry.split(':').map(Number)
          if (age + agoMs < windowMs) add(key, nowMs - age - agoMs, count)
        }
    },
    sweep(nowMs) {
      for (const key of [...slotsOf.keys()]) live(key, nowMs)
    },
    get size() {
      return slotsOf.size
    },
  }
}
