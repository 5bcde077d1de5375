import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { readJunit } from './junit'
import type { Outcome } from './outcome'

export interface TestRun {
  paths: string[]
  /** Only the tests whose names match this. */
  namePattern?: string | undefined
  /** The whole environment of the tests. */
  env: Record<string, string | undefined>
  signal: AbortSignal
  reportFile: string
  /** How many files run at once, each in a process of its own; 1 where it isn't given. */
  workers?: number
  /** How often a test that failed is tried again; 0 where it isn't given. */
  retries?: number
  /** Takes each line that bun prints, colours included. */
  show: (line: string) => void
}

const testTimeoutMs = 60_000
const drainMs = 2_000

/** Runs `bun test` on the paths, its lines shown as they come, and reads its report. A run that leaves no report has failed. */
export async function bunTest({ paths, namePattern, env, signal, reportFile, workers = 1, retries = 0, show }: TestRun): Promise<Outcome> {
  rmSync(reportFile, { force: true })
  const report = ['--reporter=junit', `--reporter-outfile=${reportFile}`, ...(namePattern ? ['--test-name-pattern', namePattern] : [])]
  const parallel = workers > 1 ? [`--parallel=${workers}`] : []
  const child = Bun.spawn(
    [
      ...[process.execPath, 'test', '--timeout', String(testTimeoutMs), `--retry=${retries}`, ...parallel, ...report],
      ...paths.map(path => `./${path}`),
    ],
    // A group of its own, so that whatever a test started ends with it.
    { env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe', detached: true },
  )
  const end = () => killGroup(child.pid)
  signal.addEventListener('abort', end, { once: true })
  const flaky: string[] = []
  const linesRead = Promise.all([eachLine(child.stdout, show), eachLine(child.stderr, collectFlaky(flaky, show))])
  const code = await child.exited
  signal.removeEventListener('abort', end)
  end()
  // What a test left running in a group of its own may hold the pipe open.
  await Promise.race([linesRead, Bun.sleep(drainMs)])
  const outcome = { ...readJunit(existsSync(reportFile) ? readFileSync(reportFile, 'utf8') : ''), flaky }
  const ranSomething = outcome.passed + outcome.skipped > 0
  if (outcome.failed > 0 || (code === 0 && ranSomething)) return outcome
  // A file that doesn't load or ends its own process, or a run that is killed, fails without a failed test.
  return { ...outcome, failed: 1, failures: [`${shortList(paths)}: bun test ended with ${code} and names no failed test`] }
}

const pathsShownMax = 3
const shortList = (paths: string[]): string =>
  paths.length > pathsShownMax ? `${paths.slice(0, pathsShownMax).join(' ')} and ${paths.length - pathsShownMax} more` : paths.join(' ')

async function eachLine(lines: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  const web = lines as Parameters<typeof Readable.fromWeb>[0]
  for await (const line of createInterface({ input: Readable.fromWeb(web) })) take(line)
}

/** The file that the next lines are about, where a line of bun's names one. */
export const fileNamed = (line: string): string | undefined => /^(\S+\.test\.ts):$/.exec(line)?.[1]

/** Notes the tests that passed only when tried again, which bun's report doesn't say. */
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
    // Nothing of it is left.
  }
}
