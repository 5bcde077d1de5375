import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { helm, render } from '../charts/helm'
import { serviceCharts } from '../charts/values-schema'
import { chartsDir, expectedReadmes, expectedSchemas } from '../charts/write-schemas'
import type { Outcome, Step } from './step'
import { passIfNone } from './step'

const umbrella = join(chartsDir, 'filmgate')
const examples = join(umbrella, 'examples')
const textOf = (path: string) =>
  Bun.file(path)
    .text()
    .catch(() => '')

/** Chart checks without a cluster: generated schemas, golden renders, helm lint. */
const reads = /^(charts|tools\/(charts|verify))\/|^tools\/providers\.ts$/
export const chartSteps: Step[] = [
  { name: 'chart schemas', reads, fix: 'bun tools/verify/charts.ts --write', run: () => checkCurrent(expectedSchemas()) },
  { name: 'chart readmes', reads, fix: 'bun tools/verify/charts.ts --write', run: () => checkCurrent(expectedReadmes()) },
  {
    name: 'golden charts',
    reads,
    fix: 'review what the cluster would get, then bun tools/verify/charts.ts --write',
    run: checkRenders,
  },
  { name: 'helm lint', reads, fix: 'correct the chart', run: lint },
]

async function checkCurrent(expected: Map<string, string>): Promise<Outcome> {
  const stale: string[] = []
  for (const [path, text] of expected) if ((await textOf(path)) !== text) stale.push(`${path} is not what tools/charts generates`)
  return passIfNone(stale)
}

/** Whole installations. What else is in the folder is a part of one. */
export const wholeExamples = readdirSync(examples)
  .filter(name => existsSync(join(examples, name, 'values.yaml')))
  .sort()
/** The others differ from these in addresses and logins, and are judged alone. */
const golden = ['default', 'production', 'single-node']

async function expectedRenders(): Promise<Map<string, { ok: boolean; output: string }>> {
  const renders = new Map<string, { ok: boolean; output: string }>()
  for (const name of golden)
    renders.set(join(examples, name, 'rendered.yaml'), await render(umbrella, [join(examples, name, 'values.yaml')]))
  return renders
}

async function checkRenders(): Promise<Outcome> {
  const wrong: string[] = []
  for (const [path, { ok, output }] of await expectedRenders()) {
    if (!ok) wrong.push(`${path}: ${output}`)
    else if ((await textOf(path)) !== output) wrong.push(`${path} differs from what the chart renders now`)
  }
  return passIfNone(wrong)
}

async function lint(): Promise<Outcome> {
  const faults: string[] = []
  for (const name of wholeExamples) {
    const { ok, output } = await helm(['lint', '--strict', umbrella, '--values', join(examples, name, 'values.yaml')])
    if (!ok) faults.push(`${name}: ${output}`)
  }
  for (const chart of serviceCharts) {
    const { ok, output } = await helm(['lint', '--strict', join(chartsDir, chart), '--values', join(chartsDir, chart, 'ci/alone.yaml')])
    if (!ok) faults.push(output)
  }
  return passIfNone(faults)
}

if (import.meta.main) {
  if (process.argv.includes('--write')) {
    for (const [path, text] of [...expectedSchemas(), ...expectedReadmes()]) await Bun.write(path, text)
    for (const [path, { ok, output }] of await expectedRenders()) {
      if (!ok) throw new Error(`${path}: ${output}`)
      await Bun.write(path, output)
    }
  }
  for (const { name, run } of chartSteps) {
    const { ok, output } = await run()
    console.log(`${ok ? '  ok  ' : 'FAILED'}  ${name}${ok ? '' : `\n${output}`}`)
    if (!ok) process.exitCode = 1
  }
}
