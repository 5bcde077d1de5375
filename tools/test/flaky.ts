import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

export interface FlakyRun {
  /** ISO 8601. */
  at: string
  /** The run's seed; `FILMGATE_TEST_SEED` repeats its random choices. */
  seed: number
}

const forgottenAfterMs = 30 * 86_400_000
/** A test that is flaky more often within `forgottenAfterMs` fails its run. */
const flakyRunsMax = 2

/** Records flaky tests in `file` across runs, and returns a message for each that was flaky too often. */
export function recordFlaky(file: string, names: string[], { at, seed }: FlakyRun): string[] {
  const known: Record<string, FlakyRun[]> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  for (const name of names) known[name] = [...(known[name] ?? []), { at, seed }]
  const oldest = new Date(Date.parse(at) - forgottenAfterMs).toISOString()
  const kept = Object.entries(known)
    .map(([name, runs]) => [name, runs.filter(one => one.at >= oldest)] as const)
    .filter(([, runs]) => runs.length > 0)
  // Renamed into place, so that a killed run leaves no partial file.
  writeFileSync(`${file}.new`, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`)
  renameSync(`${file}.new`, file)
  return kept
    .filter(([name, runs]) => names.includes(name) && runs.length > flakyRunsMax)
    .map(([name, runs]) => `${name}: flaky ${runs.length} times since ${runs[0]?.at}`)
}
