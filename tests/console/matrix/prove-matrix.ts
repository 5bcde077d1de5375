import type { Report } from '../../support/suite/report'
import { gatherCast } from './cast'
import { proveInternalApi } from './internal-api'
import { proveMatrix } from './matrix'
import { proveServices } from './services'
import { printTables } from './table'

/** Nobody sees or does what is not theirs: at the console, at the gateway's internal API for it, and at what the services have for operators. */
export async function proveTenants(report: Report): Promise<void> {
  const cast = await gatherCast()
  const cells = await proveMatrix(report, cast)
  printTables(cells, [await proveServices(report)])
  await proveInternalApi(report, cast)
}
