export interface ClosingCounts {
  passed: number
  failed: number
  skipped: number
}

const closingLine = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm

/** Counts of the suite's last closing line. A suite without one, or that exits badly without a failure, failed once. */
export function readClosingLine(text: string, code: number): ClosingCounts {
  const [, passed = 0, failed = 0, skipped] = [...text.matchAll(closingLine)].at(-1)?.map(Number) ?? []
  return { passed, failed: failed || Number(code !== 0 || passed === 0), skipped: skipped || 0 }
}
