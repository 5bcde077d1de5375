import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ClusterReport, changedInputs } from '@filmgate/tools/cluster-proof/coverage'
import { hashInputs, type InputHashes, reportFile } from '@filmgate/tools/cluster-proof/hash-inputs'
import { root } from './cluster'
import type { Result } from './report'

const path = join(root, reportFile)

/** Writes what a green run has proven, for the inputs that it began with. Where they changed meanwhile it proved neither. */
export async function keepProof(inputs: InputHashes, kubernetes: string, results: Result[]): Promise<void> {
  const changed = changedInputs(inputs, await hashInputs(root))
  if (changed.length > 0) return console.log(`${reportFile} is not written: ${changed.join(', ')} changed during the run`)
  const report: ClusterReport = {
    suite: 'cluster',
    date: new Date().toISOString().slice(0, 10),
    kubernetes,
    skipped: Object.fromEntries(results.flatMap(({ name, skipped }) => (skipped ? [[name, skipped]] : []))),
    proofs: Object.fromEntries(
      results
        .filter(({ skipped }) => skipped === undefined)
        .map(({ name, seconds, figures }) => [name, { seconds: Math.round(seconds), ...figures }]),
    ),
    inputs,
  }
  writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`)
  console.log(`${reportFile} is written: commit it with the change that it proves`)
}
