/** What became of a run of tests. */
export interface Outcome {
  passed: number
  failed: number
  skipped: number
  /** A line a failed test: its file, its name, and the first line of why. */
  failures: string[]
  /** The file and name of each test that passed only when it was tried again. */
  flaky: string[]
  /** What each file took. */
  files: { file: string; seconds: number }[]
}

export const noOutcome = (): Outcome => ({ passed: 0, failed: 0, skipped: 0, failures: [], flaky: [], files: [] })

export function addOutcome(sum: Outcome, more: Outcome): void {
  sum.passed += more.passed
  sum.failed += more.failed
  sum.skipped += more.skipped
  sum.failures.push(...more.failures)
  sum.flaky.push(...more.flaky)
  sum.files.push(...more.files)
}
