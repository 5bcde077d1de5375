import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { portBaseFrom, readArguments } from './stack/command/arguments'
import { explain, StackFault } from './stack/fault'
import { root } from './stack/instance'
import { testPortBase } from './stack/ports'
import { noOutcome, type Outcome } from './test/bun/outcome'
import { startTestProgress } from './test/bun/test-progress'
import { changedFiles, testsOfChange } from './test/changed'
import { applyStackSettings, dropProvidersKeys } from './test/environment'
import { recordFlaky } from './test/flaky'
import { runLanes } from './test/lanes'
import { filesOf, planTests } from './test/plan'

const usage = `Usage: bun run test [path…]
       bun run test --changed

Starts stacks of its own with empty data, runs the tests of every package against their real servers, meanwhile tests/ over the wire on
a stack more a core, up to four, and stops everything. A file with a failed test runs once more, and a test that fails in
one of the two runs is named as flaky at the end; one that is so three times in 30 days fails the run.
With paths (services/ledger, tests/e2e/first.test.ts) only those.
  --changed              the tests nearest to what differs from the last commit, within a minute
  FILMGATE_PORT_BASE=N   the first of its ports (default ${testPortBase}); each stack takes 40
  FILMGATE_TEST_SEED=N   makes the random choices of an earlier run again
Every line of bun is in .local/reports/test.log, the result in .local/reports/test.json.`

const reports = join(root, '.local/reports')
const slowestShown = 10

async function main(words: string[]): Promise<number> {
  const options = { changed: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } } as const
  const { values, positionals } = readArguments({ args: words, allowPositionals: true, options }, usage)
  if (values.help) {
    console.log(usage)
    return 0
  }
  const paths = values.changed ? await pathsOfChange() : positionals
  if (values.changed && paths.length === 0) {
    console.log('Nothing that changed has a test beside it, or one that imports it.\n0 passed, 0 failed')
    return 0
  }
  return runTests(paths)
}

async function pathsOfChange(): Promise<string[]> {
  const { tests, left } = await testsOfChange(await changedFiles())
  if (left) console.error(`${left} files more import what changed; \`bun run test\` runs them too.`)
  return tests
}

async function runTests(paths: string[]): Promise<number> {
  const plan = planTests(paths)
  if (filesOf(plan).length === 0) throw new StackFault(`There is no test below ${paths.join(', ')}.`)
  mkdirSync(reports, { recursive: true })
  rmSync(join(reports, 'test.json'), { force: true })
  const seed = Number(process.env.FILMGATE_TEST_SEED || Math.floor(Math.random() * 2 ** 31))
  process.env.FILMGATE_TEST_SEED = String(seed)
  dropProvidersKeys()
  const plainEnv = { ...process.env }
  applyStackSettings(join(root, 'tests/stack.env'))
  const progress = startTestProgress(filesOf(plan).length, join(reports, 'test.log'))
  const began = performance.now()
  // Filled as files end, so that a stack that fails to start later doesn't hide what was found before.
  const outcome = noOutcome()
  const portBase = portBaseFrom(process.env.FILMGATE_PORT_BASE, testPortBase)
  const finished = await runLanes({ plan, portBase, plainEnv, progress }, outcome)
  await progress.end()
  const flaky = outcome.flaky.map(({ file, name }) => `${file}: ${name}`)
  const often = recordFlaky(join(reports, 'flaky.json'), flaky, { at: new Date().toISOString(), seed })
  outcome.failures.push(...often)
  // A stack that fails, or is interrupted, is a failure of its own beside those of the tests.
  outcome.failed += often.length + (finished ? 0 : 1)
  return report(outcome, { seconds: (performance.now() - began) / 1000, seed })
}

function report({ failures, flaky, files, ...counts }: Outcome, { seconds, seed }: { seconds: number; seed: number }): number {
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, slowestShown)
  const figures = { seconds: Math.round(seconds), seed, slowest, flaky }
  writeFileSync(join(reports, 'test.json'), `${JSON.stringify({ suite: 'test', ...counts, figures }, null, 2)}\n`)
  console.error(`${Math.round(seconds)} s; the slowest files:`)
  for (const { file, seconds: took } of slowest) console.error(`${took.toFixed(1).padStart(7)} s  ${file}`)
  for (const { file, name, reason } of flaky) console.error(`flaky: ${file}: ${name}: ${reason}, FILMGATE_TEST_SEED=${seed}`)
  for (const failure of failures) console.error(`failed: ${failure}`)
  console.log(`${counts.passed} passed, ${counts.failed} failed`)
  return counts.failed ? 1 : 0
}

process.exit(
  await main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(explain(error))
    console.log('0 passed, 1 failed')
    return 1
  }),
)
