import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

export interface FlakyRun {
  /** ISO 8601. */
  at: string
  /** Of the run: `FILMGATE_TEST_SEED` makes the same random choices again. */
  seed: number
}

const forgottenAfterMs = 30 * 86_400_000
/** So often within `forgottenAfterMs` a test may pass only when tried again; from then on it fails its run. */
const flakyRunsMax = 2

/**
 * Notes the tests that passed only when tried again in `file`, which outlives the run, and returns those that have done so too
 * often: a line each for the list of what failed.
 */
export function recordFlaky(file: string, names: string[], { at, seed }: FlakyRun): string[] {
  const known: Record<string, FlakyRun[]> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  for (const name of names) known[name] = [...(known[name] ?? []), { at, seed }]
  const oldest = new Date(Date.parse(at) - forgottenAfterMs).toISOString()
  const kept = Object.entries(known)
    .map(([name, runs]) => [name, runs.filter(one => one.at >= oldest)] as const)
    .filter(([, runs]) => runs.length > 0)
  // Moved into place whole: a run that is killed meanwhile must not leave half of it for the next.
  writeFileSync(`${file}.new`, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`)
  renameSync(`${file}.new`, file)
  return kept
    .filter(([name, runs]) => names.includes(name) && runs.length > flakyRunsMax)
    .map(([name, runs]) => `${name}: passed only when tried again, ${runs.length} times since ${runs[0]?.at}`)
}
