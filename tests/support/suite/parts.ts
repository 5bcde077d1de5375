import { requireKnown } from '@filmgate/tools/stack/command/arguments'
import type { Report } from './report'

/** The parts that the call of a suite names, or all where it names none, in the suite's order. */
export function partsNamed<N extends string>(known: readonly N[], words: string[]): N[] {
  requireKnown('part', words, known)
  return known.filter(name => words.length === 0 || words.includes(name))
}

/** Runs parts of a suite one after another, each with its time among the figures; one that breaks off is a failure of the report. */
export async function runParts<N extends string>(report: Report, names: N[], run: (name: N) => Promise<void>): Promise<void> {
  for (const name of names) {
    const startedAt = performance.now()
    console.log(`${name} …`)
    await run(name).catch((error: unknown) =>
      report.check(`${name} ran to its end`, false, error instanceof Error ? error.stack : String(error)),
    )
    report.figure(`${name}.seconds`, (performance.now() - startedAt) / 1_000)
  }
}
