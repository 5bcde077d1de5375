export interface ClosingCounts {
  passed: number
  failed: number
  skipped: number
}

const closingLine = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm

/** The counts of a suite's last closing line; a suite without one, or that ends badly with nothing counted as failed, has failed once. */
export function readClosingLine(text: string, code: number): ClosingCounts {
  const [, passed = 0, failed = 0, skipped] = [...text.matchAll(closingLine)].at(-1)?.map(Number) ?? []
  return { passed, failed: failed || Number(code !== 0 || passed === 0), skipped: skipped || 0 }
}
