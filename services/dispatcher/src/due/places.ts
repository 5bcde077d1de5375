/** What this process asks about at one moment. */
export type Places = {
  free(): number
  /** How many more of a provider's may be begun. */
  leftOf(provider: string): number
  askingOf(provider: string): number
  has(id: string): boolean
  take(id: string, provider: string | undefined): void
  /** Its provider has answered. */
  answered(provider: string | undefined): void
  leave(id: string): void
}

/**
 * No provider takes more places than it leaves free, half of them where it is the only one. However many providers hang, each with all that it may,
 * there is a place for the next one.
 */
export function createPlaces(placesMax: number): Places {
  const taken = new Set<string>()
  const asking = new Map<string, number>()
  const askingOf = (provider: string) => asking.get(provider) ?? 0
  const free = () => placesMax - taken.size
  const add = (provider: string | undefined, more: number) =>
    void (provider !== undefined && asking.set(provider, askingOf(provider) + more))
  return {
    free,
    askingOf,
    leftOf: provider => Math.max(askingOf(provider) === 0 ? 1 : 0, Math.floor((free() - askingOf(provider)) / 2)),
    has: id => taken.has(id),
    take(id, provider) {
      taken.add(id)
      add(provider, 1)
    },
    answered: provider => add(provider, -1),
    leave: id => void taken.delete(id),
  }
}
