import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

export interface Sighting {
  /** ISO 8601. */
  at: string
  /** Of the run: `FILMGATE_TEST_SEED` makes the same random choices again. */
  seed: number
}

const forgottenAfterMs = 30 * 86_400_000
/** So often within `forgottenAfterMs` a test may pass only when tried again; from then on it fails its run. */
const sightingsMax = 2

/**
 * Notes the tests that passed only when tried again in `file`, which outlives the run, and returns those that have done so too
 * often: a line each for the list of what failed.
 */
export function noteUnsteady(file: string, names: string[], { at, seed }: Sighting): string[] {
  const known: Record<string, Sighting[]> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  for (const name of names) known[name] = [...(known[name] ?? []), { at, seed }]
  const oldest = new Date(Date.parse(at) - forgottenAfterMs).toISOString()
  const kept = Object.entries(known)
    .map(([name, sightings]) => [name, sightings.filter(one => one.at >= oldest)] as const)
    .filter(([, sightings]) => sightings.length > 0)
  // Moved into place whole: a run that is killed meanwhile must not leave half of it for the next.
  writeFileSync(`${file}.new`, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`)
  renameSync(`${file}.new`, file)
  return kept
    .filter(([name, sightings]) => names.includes(name) && sightings.length > sightingsMax)
    .map(([name, sightings]) => `${name}: passed only when tried again, ${sightings.length} times since ${sightings[0]?.at}`)
}
