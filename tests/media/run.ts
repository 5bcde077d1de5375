import { randomUUID } from 'node:crypto'
import { createReport } from '../support/report'
import { proveMedia } from './hostile/suite'
import { proveUrls } from './urls/suite'

/** `bun run test:media [suite …]`: hostile URLs and media, edges, mutations and crashes, over the wire against a real media-probe. */
const suites = { urls: proveUrls, hostile: proveMedia }

const wanted = process.argv.slice(2)
const report = createReport('media')
for (const [name, prove] of Object.entries(suites)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const startedAt = performance.now()
  console.log(`${name} …`)
  await prove(report, `media-${name}-${randomUUID().slice(0, 8)}`).catch(error =>
    report.check(`${name} ran to its end`, false, error.stack),
  )
  report.figure(`${name}.seconds`, (performance.now() - startedAt) / 1000)
}
process.exit(report.finish())
