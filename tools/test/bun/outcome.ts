export interface FailedTest {
  file: string
  /** With the names of its `describe`s. */
  name: string
  /** The first line. */
  reason: string
}

/** What became of a run of tests. */
export interface Outcome {
  passed: number
  failed: number
  skipped: number
  /** For each failed test: file, name, and the first line of the reason. */
  failures: string[]
  /** Tests that failed in one of two runs of their file. */
  flaky: FailedTest[]
  /** Duration of each file. */
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
