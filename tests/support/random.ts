export type Random = { between(least: number, most: number): number; oneOf<T>(choices: readonly T[]): T }

/** Numbers that look random and are the same for the same seed (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    between: (least, most) => least + next() * (most - least),
    oneOf<T>(choices: readonly T[]): T {
      const choice = choices[Math.floor(next() * choices.length)]
      if (choice === undefined) throw new Error('nothing to choose from')
      return choice
    },
  }
}
