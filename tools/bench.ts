import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BenchRow, isBenchRow } from './bench/row'
import { aligned } from './ops/print/aligned'
import { portBaseFrom, requireKnown } from './stack/command/arguments'
import { explain } from './stack/fault'
import { type Instance, openInstance, root } from './stack/instance'
import { benchPortBase } from './stack/ports'
import { printQuickStart } from './stack/quick-start'
import { type RunningStack, runStack } from './stack/run-stack'
import { applyStackSettings, wireEnv } from './test/environment'

const usage = `Usage: bun run bench [name…]

Raises a stack of its own with empty data and runs tests/bench/<name>.ts against it, all of them without names. Each measures
something of Filmgate beside a bare form of the same thing, so that a row holds on any machine: \`ratio\` counts, \`value\` and
\`unit\` tell. The rows are in .local/bench.json; exit 1 when one misses its mark.
  FILMGATE_PORT_BASE=N   the first of its ports (default ${benchPortBase})`

const folder = join(root, 'tests/bench')
const resultFile = join(root, '.local/bench.json')

async function main(names: string[]): Promise<number> {
  const known = existsSync(folder) ? readdirSync(folder).flatMap(file => /^([a-z0-9-]+)\.ts$/.exec(file)?.[1] ?? []) : []
  if (names.includes('--help')) {
    console.log(`${usage}\n\nThere are: ${known.join(', ')}`)
    return 0
  }
  requireKnown('bench', names, known)
  const instance = openInstance('bench', portBaseFrom(process.env.FILMGATE_PORT_BASE, benchPortBase))
  const rows: BenchRow[] = []
  const work = async (raised: RunningStack) => {
    for (const name of names.length ? names : known) {
      if (!raised.signal.aborted) rows.push(...(await runBench(instance, raised, name)))
    }
    return 0
  }
  applyStackSettings(join(folder, 'stack.env'))
  const code = await runStack(instance, { only: 'all', fresh: true, gateways: 1, onReady: printQuickStart(instance, 'all'), work })
  writeFileSync(resultFile, `${JSON.stringify(rows, null, 2)}\n`)
  console.log(table(rows))
  const missed = rows.filter(({ holds }) => !holds).length
  console.log(`${rows.length - missed} passed, ${missed} failed`)
  return missed ? 1 : code
}

/** A process each, so that one bench's heat and leaks are not the next one's. */
async function runBench(instance: Instance, { supervisor, report, signal }: RunningStack, name: string): Promise<BenchRow[]> {
  report(`measuring ${name}`)
  const output = join(instance.dir, `bench-${name}.json`)
  const child = Bun.spawn([process.execPath, join(root, 'tools/bench/run-one.ts'), join(folder, `${name}.ts`), output], {
    env: { ...process.env, ...wireEnv(instance, supervisor.addresses) },
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
    signal,
  })
  const broken = { name, ratio: null, value: null, unit: 'did not finish', mark: null, holds: false }
  if ((await child.exited) !== 0) return [broken]
  const rows: unknown = await Bun.file(output).json()
  return Array.isArray(rows) && rows.every(isBenchRow) ? rows : [broken]
}

function table(rows: BenchRow[]): string {
  const lines = rows.map(({ name, ratio, value, unit, mark, holds }) => [
    name,
    shown(ratio),
    shown(value),
    unit,
    shown(mark),
    holds ? 'holds' : 'MISSED',
  ])
  return aligned([['name', 'ratio', 'value', 'unit', 'mark', ''], ...lines])
}

const shown = (number: number | null): string => (number === null ? '-' : String(Number(number.toPrecision(4))))

process.exit(
  await main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(explain(error))
    return 1
  }),
)
