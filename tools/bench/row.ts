/** One figure: `ratio` is against a bare form of the same thing, `mark` what it must reach, `holds` whether it does. */
export interface BenchRow {
  name: string
  ratio: number | null
  value: number | null
  unit: string
  mark: number | null
  holds: boolean
}

export function isBenchRow(row: unknown): row is BenchRow {
  if (typeof row !== 'object' || row === null) return false
  const { name, ratio, value, unit, mark, holds } = row as Record<string, unknown>
  const isNumber = (each: unknown) => each === null || (typeof each === 'number' && Number.isFinite(each))
  return typeof name === 'string' && typeof unit === 'string' && typeof holds === 'boolean' && [ratio, value, mark].every(isNumber)
}
