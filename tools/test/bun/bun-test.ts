import { existsSync, readFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { readJunit } from './junit'
import type { FailedTest, Outcome } from './outcome'

export interface TestRun {
  paths: string[]
  /** Runs only tests whose names match. */
  namePattern?: string | undefined
  /** The whole environment of the tests. */
  env: Record<string, string | undefined>
  signal: AbortSignal
  reportFile: string
  /** Concurrent files, each in its own process; default 1. */
  workers?: number
  /** Whether a file with a failed test runs once more. Then a test has failed only if it failed twice. */
  retry?: boolean
  /** Gets each line of bun's output, with colours. */
  show: (line: string) => void
}

/** Generous: a busy machine of two cores is slow, and only a test that hangs waits for so long. */
const testTimeoutMs = 240_000
const drainMs = 2_000

/** Runs `bun test` on the paths, streams its output, and reads its report. A run without a report failed. */
export async function bunTest(run: TestRun): Promise<Outcome> {
  const { failures, crashed, ...first } = await runOnce(run)
  if (!run.retry || crashed || failures.length === 0 || run.signal.aborted) return { ...first, failures: failures.map(lineOf), flaky: [] }
  // The whole file, in a new process: a test that ran again alone would meet what its first run left in its database.
  const second = await runOnce({ ...run, paths: [...new Set(failures.map(({ file }) => file))], workers: 1 })
  const twice = failures.filter(failure => second.crashed || second.failures.some(isTest(failure)))
  const flaky = [...failures, ...second.failures].filter(failure => !twice.some(isTest(failure)))
  const passed = first.passed + failures.length - twice.length
  return { ...first, passed, failed: twice.length, failures: twice.map(lineOf), flaky }
}

const lineOf = ({ file, name, reason }: FailedTest): string => `${file}: ${name}: ${reason}`
const isTest = (one: FailedTest) => (other: FailedTest) => one.file === other.file && one.name === other.name

async function runOnce({ paths, namePattern, env, signal, reportFile, workers = 1, show }: TestRun) {
  rmSync(reportFile, { force: true })
  const reporting = ['--reporter=junit', `--reporter-outfile=${reportFile}`, ...(namePattern ? ['--test-name-pattern', namePattern] : [])]
  const parallel = workers > 1 ? [`--parallel=${workers}`] : []
  const child = Bun.spawn(
    [process.execPath, 'test', '--timeout', String(testTimeoutMs), ...parallel, ...reporting, ...paths.map(path => resolve(path))],
    // In its own process group, so that processes of tests end with it.
    { env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe', detached: true },
  )
  const end = () => killGroup(child.pid)
  signal.addEventListener('abort', end, { once: true })
  const linesRead = Promise.all([eachLine(child.stdout, show), eachLine(child.stderr, show)])
  const code = await child.exited
  signal.removeEventListener('abort', end)
  end()
  // A process that a test left in another group may keep the pipe open.
  await Promise.race([linesRead, Bun.sleep(drainMs)])
  const report = existsSync(reportFile) ? readFileSync(reportFile, 'utf8') : undefined
  const outcome = readJunit(report ?? '')
  // Bun's report leaves out a file that doesn't load. Where names are matched, it also leaves out files without such a test.
  const absent = namePattern || report === undefined ? [] : absentFrom(outcome.files, paths)
  const failures = [...outcome.failures, ...absent]
  const ranSomething = outcome.passed + outcome.skipped > 0
  if (failures.length > 0 || (code === 0 && ranSomething)) {
    return { ...outcome, failed: outcome.failed + absent.length, failures, crashed: outcome.failed !== outcome.failures.length }
  }
  // A test that exits, or a killed run, fails without a failed test.
  const failure = { file: shortList(paths), name: 'bun test', reason: `ended with ${code} and names no failed test` }
  return { ...outcome, failed: 1, failures: [failure], crashed: true }
}

function absentFrom(files: Outcome['files'], paths: string[]): FailedTest[] {
  const present = new Set(files.map(({ file }) => resolve(file)))
  return paths.filter(path => !present.has(resolve(path))).map(file => ({ file, name: 'bun test', reason: 'the file has not loaded' }))
}

const pathsShownMax = 3
const shortList = (paths: string[]): string =>
  paths.length > pathsShownMax ? `${paths.slice(0, pathsShownMax).join(' ')} and ${paths.length - pathsShownMax} more` : paths.join(' ')

async function eachLine(lines: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  const web = lines as Parameters<typeof Readable.fromWeb>[0]
  for await (const line of createInterface({ input: Readable.fromWeb(web) })) take(line)
}

/** The file that a line of bun's output names for the following lines. */
export const fileNamed = (line: string): string | undefined => /^(\S+\.test\.ts):$/.exec(line)?.[1]

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing is left.
  }
}
