/** CPU seconds that all children of a task share. */
export type CpuBudget = { readonly secondsMax: number; secondsLeft(): number; take(seconds: number): void }

export function createCpuBudget(secondsMax: number): CpuBudget {
  let taken = 0
  return {
    secondsMax,
    secondsLeft: () => Math.max(0, secondsMax - taken),
    take(seconds) {
      taken += seconds
    },
  }
}
