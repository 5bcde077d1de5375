import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './cluster'

export type Figures = Record<string, string | number | boolean>
export type Proof<C> = { name: string; short: boolean; prove(context: C): Promise<Figures> }

type Result = { name: string; ok: boolean; seconds: number; figures: Figures; fault?: string }

/** Proves one after the other; one that fails does not keep the rest from being tried. */
export async function proveAll<C>(proofs: Proof<C>[], context: C): Promise<Result[]> {
  const results: Result[] = []
  for (const { name, prove } of proofs) {
    const startedAt = performance.now()
    console.log(`…       ${name}`)
    const outcome = await prove(context).then(
      figures => ({ ok: true, figures }),
      (error: unknown) => ({ ok: false, figures: {}, fault: error instanceof Error ? error.message : String(error) }),
    )
    const seconds = (performance.now() - startedAt) / 1000
    results.push({ name, seconds, ...outcome })
    console.log(`${outcome.ok ? '  ok  ' : 'FAILED'}  ${name} (${seconds.toFixed(1)} s) ${JSON.stringify(outcome.figures)}`)
    if ('fault' in outcome) console.log(`        ${outcome.fault}`)
  }
  return results
}

/** .local/reports/cluster.json, in the one format of all long suites. */
export async function writeReport(results: Result[], skipped: number, machine: Figures): Promise<boolean> {
  const failed = results.filter(result => !result.ok)
  const figures = {
    machine,
    ...Object.fromEntries(
      results.map(({ name, seconds, figures, fault }) => [
        name,
        { seconds: Number(seconds.toFixed(1)), ...figures, ...(fault ? { fault } : {}) },
      ]),
    ),
  }
  const report = { suite: 'cluster', passed: results.length - failed.length, failed: failed.length, skipped, figures }
  mkdirSync(join(root, '.local/reports'), { recursive: true })
  await Bun.write(join(root, '.local/reports/cluster.json'), `${JSON.stringify(report, null, 2)}\n`)
  console.log(`${report.passed} passed, ${report.failed} failed, ${report.skipped} skipped`)
  return failed.length === 0
}
