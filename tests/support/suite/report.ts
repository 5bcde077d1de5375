import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const folder = resolve(import.meta.dir, '../../../.local/reports')

export type Report = {
  /** Counts one expectation; a failed one is printed with its words. */
  check(name: string, holds: boolean, words?: string): void
  skip(name: string, why: string): void
  figure(name: string, value: number | string): void
  /** Writes `.local/reports/<suite>.json`, prints the sum and returns the exit status; a suite that checked nothing has failed. */
  finish(): number
}

/** What a long suite found, in the one format that all of them write. */
export function createReport(suite: string): Report {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const figures: Record<string, number | string> = {}
  return {
    check(name, holds, words = '') {
      counts[holds ? 'passed' : 'failed'] += 1
      if (!holds) console.log(`  FAILED ${name}${words && `: ${words}`}`)
    },
    skip(name, why) {
      counts.skipped += 1
      console.log(`  skipped ${name}: ${why}`)
    },
    figure(name, value) {
      figures[name] = typeof value === 'number' ? Math.round(value * 1000) / 1000 : value
    },
    finish() {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, `${suite}.json`), `${JSON.stringify({ suite, ...counts, figures }, null, 2)}\n`)
      console.log(JSON.stringify(figures, null, 2))
      console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
      return counts.failed === 0 && counts.passed > 0 ? 0 : 1
    },
  }
}

/** The same report, where each name begins with these words: for what is measured more than once. */
export const prefixed = ({ check, skip, figure }: Report, words: string): Pick<Report, 'check' | 'skip' | 'figure'> => ({
  check: (name, ...rest) => check(words + name, ...rest),
  skip: (name, why) => skip(words + name, why),
  figure: (name, value) => figure(words + name, value),
})
