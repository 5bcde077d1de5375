import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { portBaseFrom } from './stack/command/arguments'
import { firstAccount } from './stack/contents/first-account'
import { explain } from './stack/fault'
import { type Instance, openInstance, root } from './stack/instance'
import { testPortBase } from './stack/ports'
import { portOpen } from './stack/process/probe'
import { type Raised, raiseStack } from './stack/raise'
import { bunTest, type Counts, type Outcome } from './test/bun-test'
import { applyStackSettings, serverEnv, wireEnv } from './test/environment'

const usage = `Usage: bun run test [path…]

Starts a stack of its own with empty data, runs the tests of every package against its real servers, then starts the services
and runs tests/ over the wire, and stops everything. A test that fails is tried once more, and named at the end if it passes then.
With paths (services/ledger, tests/e2e/first.test.ts) only those.
  FILMGATE_PORT_BASE=N   the first of its ports (default ${testPortBase})`

const packagePaths = ['proto', 'services', 'tools']
const wirePaths = ['tests/contract', 'tests/e2e', 'tests/faults']
/** Test files at once: most of their time is waiting for servers. Over the wire all services work too; faults stop what others use. */
const filesAtOnce = { packages: 3, wire: 2, faults: 1 }

async function main(paths: string[]): Promise<number> {
  if (paths.includes('--help')) {
    console.log(usage)
    return 0
  }
  const missing = paths.find(path => !existsSync(path))
  if (missing) {
    console.error(`There is no ${missing}.\n\n${usage}`)
    return 1
  }
  const instance = openInstance('test', portBaseFrom(process.env.FILMGATE_PORT_BASE, testPortBase))
  // Filled as the runs end, so that a stack that fails to start later doesn't hide what was found before.
  const outcome: Outcome = { passed: 0, failed: 0, skipped: 0, failures: [], unsteady: [] }
  let finished = false
  const work = async (raised: Raised) => {
    await runTests(instance, raised, paths, outcome)
    finished = !raised.signal.aborted
    return outcome.failed ? 1 : 0
  }
  await raiseStack(instance, { only: 'servers', fresh: true, gateways: 2, work })
  const left = await openPorts(instance)
  if (left.length) console.error(`Left behind: something still listens on ${left.join(', ')}.`)
  // A stack that fails, or is interrupted, is a failure of its own beside those of the tests.
  const { failures, unsteady, ...counts } = outcome
  const failed = counts.failed + left.length + (finished ? 0 : 1)
  writeReport({ ...counts, failed })
  for (const name of unsteady) console.error(`unsteady: ${name}: passed only when tried again`)
  for (const failure of failures) console.error(`failed: ${failure}`)
  console.log(`${counts.passed} passed, ${failed} failed`)
  return failed ? 1 : 0
}

async function runTests(instance: Instance, { supervisor, report, signal }: Raised, paths: string[], outcome: Outcome): Promise<void> {
  const { addresses } = supervisor
  const isWire = (path: string) => /^(\.\/)?tests(\/|$)/.test(path)
  const ofPackages = paths.length ? paths.filter(path => !isWire(path)) : packagePaths
  const ofWire = paths.length ? paths.filter(isWire) : wirePaths.filter(path => existsSync(path))
  const sharesStack = (path: string) => /^(\.\/)?tests\/(contract|e2e)(\/|$)/.test(path)
  const run = async (name: keyof typeof filesAtOnce, testPaths: string[], env: Record<string, string>) => {
    if (!testPaths.length || signal.aborted) return
    report(`testing ${testPaths.join(', ')}`)
    const [workers, reportFile] = [filesAtOnce[name], join(instance.dir, `${name}.xml`)]
    add(outcome, await bunTest({ paths: testPaths, env, signal, workers, reportFile, retries: 1 }))
  }
  await run('packages', ofPackages, serverEnv(addresses))
  if (ofWire.length && !signal.aborted) {
    applyStackSettings(join(root, 'tests/stack.env'))
    await supervisor.startServices()
    await firstAccount(instance, addresses)
    const env = wireEnv(instance, addresses)
    const together = ofWire.filter(sharesStack)
    const alone = ofWire.filter(path => !sharesStack(path))
    await run('wire', together, env)
    await run('faults', alone, env)
  }
}

function add(sum: Outcome, more: Outcome): void {
  sum.passed += more.passed
  sum.failed += more.failed
  sum.skipped += more.skipped
  sum.failures.push(...more.failures)
  sum.unsteady.push(...more.unsteady)
}

async function openPorts({ ports }: Instance): Promise<number[]> {
  const open = await Promise.all(Object.values(ports).map(async port => ((await portOpen(port)) ? [port] : [])))
  return open.flat()
}

function writeReport(counts: Counts): void {
  mkdirSync(join(root, '.local/reports'), { recursive: true })
  writeFileSync(join(root, '.local/reports/test.json'), `${JSON.stringify({ suite: 'test', ...counts, figures: {} }, null, 2)}\n`)
}

process.exit(
  await main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(explain(error))
    console.log('0 passed, 1 failed')
    return 1
  }),
)
