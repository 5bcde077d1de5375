import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './cluster'

export type Figures = Record<string, string | number | boolean>
/** What a cluster may have to do without: no version of it is served, or the cluster isn't ours. */
export type Requirement = 'keda' | 'custom kinds' | 'media host' | 'node of our own'
export type Proof<C> = { name: string; short: boolean; needs?: Requirement; prove(context: C): Promise<Figures> }

export type Result = { name: string; ok: boolean; seconds: number; figures: Figures; fault?: string; skipped?: string }

/** Proves one after the other; one that fails does not keep the rest from being tried, and one whose part is missing is named as skipped. */
export async function proveAll<C>(proofs: Proof<C>[], context: C, missing: ReadonlyMap<Requirement, string>): Promise<Result[]> {
  const results: Result[] = []
  for (const { name, needs, prove } of proofs) {
    const skipped = needs && missing.get(needs)
    if (skipped) {
      results.push({ name, ok: true, seconds: 0, figures: {}, skipped })
      console.log(`skipped ${name}: ${skipped}`)
      continue
    }
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
export async function writeReport(results: Result[], notAsked: string[], machine: Figures): Promise<boolean> {
  const skipped = results.filter(result => result.skipped !== undefined).length
  const failed = results.filter(result => !result.ok).length
  const figures = {
    machine,
    not_asked: notAsked,
    ...Object.fromEntries(
      results.map(({ name, seconds, figures, fault, skipped }) => [
        name,
        { seconds: Number(seconds.toFixed(1)), ...figures, ...(fault ? { fault } : {}), ...(skipped ? { skipped } : {}) },
      ]),
    ),
  }
  const report = { suite: 'cluster', passed: results.length - failed - skipped, failed, skipped, figures }
  mkdirSync(join(root, '.local/reports'), { recursive: true })
  await Bun.write(join(root, '.local/reports/cluster.json'), `${JSON.stringify(report, null, 2)}\n`)
  console.log(`${report.passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  return failed === 0
}
