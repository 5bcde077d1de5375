export type Row = { name: string; ratio: number | null; value: number | null; unit: string; mark: number | null; holds: boolean }

export const median = (numbers: number[]): number => percentile(numbers, 0.5)

export function percentile(numbers: number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** A figure that tells and has no mark to reach. */
export const shown = (name: string, value: number, unit: string): Row => ({ name, ratio: null, value, unit, mark: null, holds: true })
