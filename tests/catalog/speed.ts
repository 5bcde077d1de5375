import measure from '../bench/catalog'
import type { Report } from '../support/suite/report'

/** The rows of the bench hold. */
export async function proveSpeed(report: Report): Promise<void> {
  for (const { name, ratio, value, unit, mark, holds } of await measure()) {
    report.check(name, holds, `${value} ${unit}, ratio ${ratio}, mark ${mark}`)
    report.figure(`speed.${name}`, ratio ?? value ?? 0)
  }
}
