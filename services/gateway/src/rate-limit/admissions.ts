import type { Told } from './token'

/** Requests of one slot count as let through at its end: what is remembered never ends too early. */
const slotMs = 50
type Slot = { endMs: number; count: number }

/** What was let through in the last window, by key. Times are of one clock that only goes forward. */
export type Admissions = {
  add(key: string, atMs: number, count?: number): void
  used(key: string, nowMs: number): number
  told(nowMs: number): Told
  /** Takes over what another replica told `agoMs` ago. */
  learn(told: Told, nowMs: number, agoMs: number): void
  sweep(nowMs: number): void
  readonly size: number
}

export function createAdmissions(windowMs: number): Admissions {
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
    told(nowMs) {
      const told: Told = {}
      for (const key of [...slotsOf.keys()]) {
        const slots = live(key, nowMs)
        if (slots.length) told[key] = slots.map(({ endMs, count }) => `${Math.floor(nowMs - endMs)}:${count}`).join(' ')
      }
      return told
    },
    learn(told, nowMs, agoMs) {
      for (const [key, text] of Object.entries(told))
        for (const part of text.split(' ')) {
          const [age = 0, count = 0] = part.split(':').map(Number)
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
