import { audit } from '../../support/operator/operator'
import type { Report } from '../../support/suite/report'
import { cells } from './cells'
import { runCell } from './run-cell'

const atOnce = 8

/** A cancel in every phase, at each kind of provider, once and five times at once: one ending each, and its price by hand. */
export async function prove(report: Report): Promise<void> {
  report.figure('cancel.cells', cells.length)
  const queue = cells.values()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const cell of queue) {
        const name = `cancel ${cell.phase}, provider ${cell.provider}, ${cell.times} at once`
        const faults = await runCell(cell).catch(error => [String(error)])
        report.check(name, faults.length === 0, faults.join('; '))
      }
    }),
  )
  report.check('the ledger’s audit finds nothing', (await audit()).length === 0)
}
