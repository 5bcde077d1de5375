import type { Report } from '../../support/suite/report'
import { proveAttacks } from './attacks'
import { gatherCast } from './cast'
import { proveDoor } from './door'
import { proveMatrix } from './matrix'

/** Nobody sees or does what is not theirs, at the console and at the gateway's door for it. */
export async function proveTenants(report: Report): Promise<void> {
  const cast = await gatherCast()
  await proveMatrix(report, cast)
  await proveDoor(report, cast)
  await proveAttacks(report, cast)
}
