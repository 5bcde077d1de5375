import { runParts } from '../support/suite/parts'
import { createReport, type Report } from '../support/suite/report'
import { readCall } from './arguments'

/** `bun run test:api [part …]`: what other people's programs do with the API, over the wire against the whole pipeline. */
const report = createReport('api')
await runParts(report, readCall(process.argv.slice(2)), async name => {
  const { prove } = (await import(`./${name}/suite.ts`)) as { prove(report: Report): Promise<void> }
  await prove(report)
})
process.exit(report.finish())
