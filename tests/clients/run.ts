import { runParts } from '../support/suite/parts'
import { createReport, type Report } from '../support/suite/report'
import { readCall } from './arguments'
import { openStorageLine } from './storage-line'

/** `bun run test:clients [part …]`: what the published clients promise, over the wire against the whole pipeline. */
const report = createReport('clients')
const storage = await openStorageLine()
await runParts(report, readCall(process.argv.slice(2)), async name => {
  const { prove } = (await import(`./${name}/suite.ts`)) as { prove(report: Report): Promise<void> }
  await prove(report)
})
await storage.stop()
process.exit(report.finish())
