import { runParts } from '../support/suite/parts'
import { createReport, type Report } from '../support/suite/report'
import { readCall } from './arguments'
import { proveSlow } from './slow/suite'
import { proveStrings } from './strings/suite'
import { proveWire } from './wire/suite'

/** `bun run test:edge [part …]`: what no client of ours sends, over the wire against the whole pipeline. */
const parts: Record<ReturnType<typeof readCall>[number], (report: Report) => Promise<void>> = {
  strings: proveStrings,
  wire: proveWire,
  slow: proveSlow,
}

const report = createReport('edge')
await runParts(report, readCall(process.argv.slice(2)), name => parts[name](report))
process.exit(report.finish())
