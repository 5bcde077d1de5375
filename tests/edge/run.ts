import { createReport, type Report } from '../support/report'
import { readCall } from './arguments'
import { proveSlow } from './slow/suite'
import { proveStrings } from './strings/suite'
import { proveWire } from './wire/suite'

/** `bun run test:edge [part …]`: what no client of ours sends, over the wire against the whole line. */
const parts: Record<ReturnType<typeof readCall>[number], (report: Report) => Promise<void>> = {
  strings: proveStrings,
  wire: proveWire,
  slow: proveSlow,
}

const report = createReport('edge')
for (const name of readCall(process.argv.slice(2))) {
  const startedAt = performance.now()
  console.log(`${name} …`)
  await parts[name](report).catch(error => report.check(`${name} ran to its end`, false, error.stack))
  report.figure(`${name}.seconds`, (performance.now() - startedAt) / 1000)
}
process.exit(report.finish())
