import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Report } from '../../support/suite/report'
import type { Visitor } from '../visitor'

const pictures = resolve(import.meta.dir, '../../../.local/reports/console-journey')

/** One step of a journey: a check of the report. Its failure ends the journey, since each step needs the one before, and leaves a picture of the page. */
export const stepsOf =
  (report: Report, journey: string, { tab, path }: Visitor) =>
  async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    try {
      const result = await work()
      report.check(`${journey}: ${name}`, true)
      return result
    } catch (error) {
      mkdirSync(pictures, { recursive: true })
      const picture = join(pictures, `${journey}.png`)
      writeFileSync(picture, await tab.screenshot())
      const words = error instanceof Error ? error.message : String(error)
      throw new Error(`${name}, at ${await path()} (${picture}): ${words}\n${tab.errors.join('\n')}`, { cause: error })
    }
  }

/** What must be so, with words for when it isn't. */
export function must(holds: boolean, words: string): asserts holds {
  if (!holds) throw new Error(words)
}
