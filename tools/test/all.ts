import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readArguments, requireKnown } from '../stack/command/arguments'
import { explain } from '../stack/fault'
import { root } from '../stack/instance'
import { type ClosingCounts, readClosingLine } from './bun/closing-line'

/** The long suites (`bun run test:NAME`), shortest first. */
const suites = [
  'edge',
  'api',
  'clients',
  'catalog',
  'images',
  'release',
  'load',
  'providers',
  'faults',
  'media',
  'soak',
  'console',
  'cluster',
] as const

const usage = `Usage: bun run test:all [SUITE…]

Runs the long suites one after another, each whole: ${suites.join(', ')}.
Takes hours. What a suite says is in .local/reports/all/SUITE.log; a table of all stands at the end and in .local/reports/all.json.
Exit 1 where anything failed.`

const folder = join(root, '.local/reports/all')
const progressEveryMs = 60_000

type Row = ClosingCounts & { suite: string; minutes: number }

async function main(words: string[]): Promise<number> {
  const { values, positionals } = readArguments({ args: words, allowPositionals: true, options: { help: { type: 'boolean' } } }, usage)
  if (values.help) {
    console.log(usage)
    return 0
  }
  requireKnown('suite', positionals, suites)
  mkdirSync(folder, { recursive: true })
  const rows: Row[] = []
  for (const suite of suites.filter(name => !positionals.length || positionals.includes(name))) {
    rows.push(await runSuite(suite))
    // Written after each suite, so that Ctrl-C keeps the results.
    writeFileSync(
      join(root, '.local/reports/all.json'),
      `${JSON.stringify({ suite: 'all', ...sumOf(rows), figures: { suites: rows } }, null, 2)}\n`,
    )
  }
  const { passed, failed, skipped } = sumOf(rows)
  console.log(`\n${line('suite', 'passed', 'failed', 'skipped', 'minutes')}`)
  for (const row of rows) console.log(line(row.suite, row.passed, row.failed, row.skipped, row.minutes.toFixed(1)))
  console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`)
  return failed ? 1 : 0
}

async function runSuite(suite: string): Promise<Row> {
  const began = performance.now()
  const minutes = () => (performance.now() - began) / 60_000
  const file = join(folder, `${suite}.log`)
  console.log(`${suite} …`)
  const log = openSync(file, 'w')
  const child = Bun.spawn([process.execPath, 'run', `test:${suite}`], { cwd: root, stdin: 'ignore', stdout: log, stderr: log })
  const heartbeat = setInterval(() => console.log(`  ${suite}: ${minutes().toFixed(0)} min, ${lastLine(file)}`), progressEveryMs)
  const code = await child.exited
  clearInterval(heartbeat)
  closeSync(log)
  const counts = readClosingLine(readFileSync(file, 'utf8'), code)
  console.log(`  ${suite}: ${counts.passed} passed, ${counts.failed} failed in ${minutes().toFixed(1)} min, ${file}`)
  return { suite, ...counts, minutes: minutes() }
}

const lastLine = (file: string): string => Bun.stripANSI(readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? '').slice(0, 120)

function sumOf(rows: Row[]): ClosingCounts {
  const sum = (name: 'passed' | 'failed' | 'skipped') => rows.reduce((total, row) => total + row[name], 0)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
}

const line = (suite: string, ...cells: (string | number)[]): string =>
  suite.padEnd(10) + cells.map(cell => String(cell).padStart(9)).join('')

process.exit(
  await main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(explain(error))
    return 1
  }),
)
