/**
 * Slots: how many attempts are being polled or looked up at one moment. There are two bounds.
 *
 * This process has `FILMGATE_POLLS_MAX` slots. A provider uses no more of them than it leaves free, half where it is
 * the only one: however many providers hang, there is a slot for the next one. A provider allows `budget.atOnce` of all
 * dispatchers together: each writes how many it uses there, and what another wrote in the last ten seconds counts.
 */

/** How long another dispatcher's count is valid. */
export const countValidMs = 10_000

export type Slots = ReturnType<typeof createSlots>

export function createSlots(slotsMax: number) {
  const taken = new Set<string>()
  const used = new Map<string, number>()
  const usedBy = (provider: string): number => used.get(provider) ?? 0
  const free = (): number => slotsMax - taken.size
  const add = (provider: string | undefined, more: number) => void (provider !== undefined && used.set(provider, usedBy(provider) + more))
  return {
    free,
    usedBy,
    /** How many more of a provider's may begin in this process. */
    leftFor: (provider: string): number => Math.max(usedBy(provider) === 0 ? 1 : 0, Math.floor((free() - usedBy(provider)) / 2)),
    has: (id: string): boolean => taken.has(id),
    take(id: string, provider: string | undefined): void {
      taken.add(id)
      add(provider, 1)
    },
    /** The provider has answered; the slot is used until the result is saved. */
    answered: (provider: string | undefined): void => add(provider, -1),
    release: (id: string): void => void taken.delete(id),
  }
}

/** How many polls of a provider may begin now. */
export const freeSlots = (of: { atOnce: number; usedHere: number; usedElsewhere: number; leftHere: number }): number =>
  Math.max(0, Math.min(of.atOnce - of.usedHere - of.usedElsewhere, of.leftHere))
