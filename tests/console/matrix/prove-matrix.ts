import type { Report } from '../../support/suite/report'
import { gatherCast } from './cast'
import { proveDoor } from './door'
import { proveMatrix } from './matrix'
import { proveServices } from './services'
import { printTables } from './table'

/** Nobody sees or does what is not theirs: at the console, at the gateway's door for it, and at what the services have for operators. */
export async function proveTenants(report: Report): Promise<void> {
  const cast = await gatherCast()
  const cells = await proveMatrix(report, cast)
  printTables(cells, [await proveServices(report)])
  await proveDoor(report, cast)
}
