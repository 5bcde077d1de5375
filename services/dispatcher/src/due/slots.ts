/**
 * Slots: how many attempts are being polled or looked up at one moment. There are two bounds.
 *
 * This process has `FILMGATE_POLLS_MAX` slots. A provider uses no more of them than it leaves free, half where it is the only one: however
 * many providers hang, there is a slot for the next one. A provider allows `budget.atOnce` of all dispatchers together: each writes how
 * many it uses there, and what another wrote in the last ten seconds counts.
 */
export type Slots = {
  free(): number
  /** How many more of a provider's may begin in this process. */
  leftFor(provider: string): number
  usedBy(provider: string): number
  has(id: string): boolean
  take(id: string, provider: string | undefined): void
  /** The provider has answered; the slot is used until the result is saved. */
  answered(provider: string | undefined): void
  release(id: string): void
}

/** How long another dispatcher's count is valid. */
export const countValidMs = 10_000

export function createSlots(slotsMax: number): Slots {
  const taken = new Set<string>()
  const used = new Map<string, number>()
  const usedBy = (provider: string) => used.get(provider) ?? 0
  const free = () => slotsMax - taken.size
  const add = (provider: string | undefined, more: number) => void (provider !== undefined && used.set(provider, usedBy(provider) + more))
  return {
    free,
    usedBy,
    leftFor: provider => Math.max(usedBy(provider) === 0 ? 1 : 0, Math.floor((free() - usedBy(provider)) / 2)),
    has: id => taken.has(id),
    take(id, provider) {
      taken.add(id)
      add(provider, 1)
    },
    answered: provider => add(provider, -1),
    release: id => void taken.delete(id),
  }
}

export type SlotCounts = { atOnce: number; usedHere: number; usedElsewhere: number; leftHere: number }

/** How many polls of a provider may begin now. */
export const freeSlots = ({ atOnce, usedHere, usedElsewhere, leftHere }: SlotCounts): number =>
  Math.max(0, Math.min(atOnce - usedHere - usedElsewhere, leftHere))
