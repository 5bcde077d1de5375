/** What this process asks about at one moment. */
export type Places = {
  free(): number
  /** How many more of a maker's may be begun. */
  leftOf(maker: string): number
  askingOf(maker: string): number
  has(id: string): boolean
  take(id: string, maker: string | undefined): void
  /** Its maker has answered. */
  answered(maker: string | undefined): void
  leave(id: string): void
}

/**
 * No maker takes more places than it leaves free, half of them where it is the only one. However many makers hang, each with all that it may,
 * there is a place for the next one.
 */
export function createPlaces(placesMax: number): Places {
  const taken = new Set<string>()
  const asking = new Map<string, number>()
  const askingOf = (maker: string) => asking.get(maker) ?? 0
  const free = () => placesMax - taken.size
  const add = (maker: string | undefined, more: number) => void (maker !== undefined && asking.set(maker, askingOf(maker) + more))
  return {
    free,
    askingOf,
    leftOf: maker => Math.max(askingOf(maker) === 0 ? 1 : 0, Math.floor((free() - askingOf(maker)) / 2)),
    has: id => taken.has(id),
    take(id, maker) {
      taken.add(id)
      add(maker, 1)
    },
    answered: maker => add(maker, -1),
    leave: id => void taken.delete(id),
  }
}
