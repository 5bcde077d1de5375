import { expect, test } from 'bun:test'
import { proveStrings } from '../../edge/strings/suite'
import { createReport } from '../../support/suite/report'

test('text that no row can hold is refused in every string of every route, clients’ and operators’, and what is taken arrives', async () => {
  const report = createReport('edge-short')
  await proveStrings(report, { short: true })
  expect(report.finish()).toBe(0)
}, 120_000)
