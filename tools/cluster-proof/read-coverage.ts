import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../stack/instance'
import { type ClusterReport, type Coverage, coverageOf } from './coverage'
import { hashInputs, reportFile } from './hash-inputs'

/** Whether the committed report covers the files that are here. */
export async function readCoverage(): Promise<Coverage> {
  const path = join(root, reportFile)
  const report = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as ClusterReport) : undefined
  return coverageOf(report, await hashInputs(root))
}
