import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetchPrograms } from '@filmgate/tools/release/programs'
import { readArguments } from '@filmgate/tools/stack/command/arguments'
import { explain } from '@filmgate/tools/stack/fault'
import { canInstallDebian } from '@filmgate/tools/stack/fetch/package-client'
import { run } from '@filmgate/tools/stack/fetch/run'
import { suitePortBase } from '@filmgate/tools/stack/ports'
import { createReport, type Report } from '../support/suite/report'
import { type Bench, password, withRegistry } from './bench'
import { proveChangedBytes } from './prove-changed-bytes'
import { proveCharts } from './prove-charts'
import { provePlatforms } from './prove-platforms'
import { proveRefusals } from './prove-refusals'
import { proveRepetition } from './prove-repetition'
import { proveSignatures } from './prove-signatures'
import { copyTree } from './tree'

const usage = `bun run test:release

Releases a copy of this tree into a registry of its own: interrupted, taken up again, repeated. Pulls images and charts back by digest,
verifies signatures and SBOMs with cosign by a key, and shows that another key, a changed byte and a version that exists are refused.
Needs what \`bun run images\` needs; no registry outside and no network service. Writes .local/reports/release.json.
  FILMGATE_PORT_BASE=N   the port of the registry (default ${suitePortBase})`

async function main(): Promise<number> {
  const { values } = readArguments({ args: process.argv.slice(2), options: { help: { type: 'boolean', default: false } } }, usage)
  if (values.help) {
    console.log(usage)
    return 0
  }
  const report = createReport('release')
  if ((await run(['docker', 'info'])).code !== 0 && !(process.platform === 'linux' && canInstallDebian())) {
    report.skip('release', 'it needs a Docker engine, or root on Debian, where it can start one')
    report.finish()
    return 0
  }

  const folder = mkdtempSync(join(tmpdir(), 'filmgate-release-'))
  try {
    await withRegistry(folder, await fetchPrograms(), bench => prove(report, bench))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return report.finish()
}

async function prove(report: Report, bench: Bench): Promise<void> {
  const tree = await copyTree(join(bench.folder, 'tree'), password)
  await proveRefusals(report, bench, tree)
  const startedAt = performance.now()
  const release = await proveRepetition(report, bench, tree)
  report.figure('releaseSeconds', (performance.now() - startedAt) / 1000)
  await proveSignatures(report, bench, release)
  await proveChangedBytes(report, bench, release)
  await proveCharts(report, bench, release)
  await provePlatforms(report, bench, tree, release)
}

process.exit(
  await main().catch((error: unknown) => {
    console.error(explain(error))
    return 1
  }),
)
