import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { readJunit } from './junit'
import type { Outcome } from './outcome'

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
  /** Retries of a failed test; default 0. */
  retries?: number
  /** Gets each line of bun's output, with colours. */
  show: (line: string) => void
}

/** Generous: a busy machine of two cores is slow, and only a test that hangs waits for so long. */
const testTimeoutMs = 240_000
const drainMs = 2_000

/** Runs `bun test` on the paths, streams its output, and reads its report. A run without a report failed. */
export async function bunTest({ paths, namePattern, env, signal, reportFile, workers = 1, retries = 0, show }: TestRun): Promise<Outcome> {
  rmSync(reportFile, { force: true })
  const report = ['--reporter=junit', `--reporter-outfile=${reportFile}`, ...(namePattern ? ['--test-name-pattern', namePattern] : [])]
  const parallel = workers > 1 ? [`--parallel=${workers}`] : []
  const child = Bun.spawn(
    [
      ...[process.execPath, 'test', '--timeout', String(testTimeoutMs), `--retry=${retries}`, ...parallel, ...report],
      ...paths.map(path => `./${path}`),
    ],
    // In its own process group, so that processes of tests end with it.
    { env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe', detached: true },
  )
  const end = () => killGroup(child.pid)
  signal.addEventListener('abort', end, { once: true })
  const flaky: string[] = []
  const linesRead = Promise.all([eachLine(child.stdout, show), eachLine(child.stderr, collectFlaky(flaky, show))])
  const code = await child.exited
  signal.removeEventListener('abort', end)
  end()
  // A process that a test left in another group may keep the pipe open.
  await Promise.race([linesRead, Bun.sleep(drainMs)])
  const outcome = { ...readJunit(existsSync(reportFile) ? readFileSync(reportFile, 'utf8') : ''), flaky }
  const ranSomething = outcome.passed + outcome.skipped > 0
  if (outcome.failed > 0 || (code === 0 && ranSomething)) return outcome
  // A file that doesn't load or exits, or a killed run, fails without a failed test.
  return { ...outcome, failed: 1, failures: [`${shortList(paths)}: bun test ended with ${code} and names no failed test`] }
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

/** Collects tests that passed only on a retry, which bun's report doesn't contain. */
function collectFlaky(flaky: string[], show: (line: string) => void): (line: string) => void {
  let file = ''
  return line => {
    show(line)
    const plain = Bun.stripANSI(line)
    file = fileNamed(plain) ?? file
    const [, name] = /^\(pass\) (.*) \(attempt \d+\)/.exec(plain) ?? []
    if (name) flaky.push(`${file}: ${name}`)
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing is left.
  }
}
