import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'

export interface Counts {
  passed: number
  failed: number
  skipped: number
}

export interface Outcome extends Counts {
  /** A line a failed test: its file, its name, and the first line of why. */
  failures: string[]
  /** The file and name of each test that passed only when it was tried again. */
  unsteady: string[]
}

export interface TestRun {
  paths: string[]
  /** Only the tests whose names have these words. */
  named?: string | undefined
  env: Record<string, string>
  signal: AbortSignal
  reportFile: string
  /** How many files run at once, each in a process of its own; 1 where it isn't given. */
  workers?: number
  /** How often a test that failed is tried again; 0 where it isn't given. */
  retries?: number
  output?: 'inherit' | 'ignore'
}

const testTimeoutMs = 60_000
const drainMs = 2_000

/** Runs `bun test` on the paths, its lines shown as they come, and reads its report. A run that leaves no report has failed. */
export async function bunTest(run: TestRun): Promise<Outcome> {
  const { paths, named, env, signal, reportFile, workers = 1, retries = 0, output = 'inherit' } = run
  rmSync(reportFile, { force: true })
  const report = ['--reporter=junit', `--reporter-outfile=${reportFile}`, ...(named ? ['--test-name-pattern', named] : [])]
  const parallel = workers > 1 ? [`--parallel=${workers}`] : []
  const child = Bun.spawn(
    [
      ...[process.execPath, 'test', '--timeout', String(testTimeoutMs), `--retry=${retries}`, ...parallel, ...report],
      ...paths.map(path => `./${path}`),
    ],
    {
      env: { ...process.env, ...env },
      stdin: 'ignore',
      stdout: output,
      stderr: 'pipe',
      // A group of its own, so that whatever a test started ends with it.
      detached: true,
    },
  )
  const end = () => killGroup(child.pid)
  signal.addEventListener('abort', end, { once: true })
  const unsteady: string[] = []
  const shown = show(child.stderr, output, unsteady)
  const code = await child.exited
  signal.removeEventListener('abort', end)
  end()
  // What a test left running in a group of its own may hold the pipe open.
  await Promise.race([shown, Bun.sleep(drainMs)])
  const junit = existsSync(reportFile) ? readFileSync(reportFile, 'utf8') : ''
  const outcome = { ...countsIn(junit), failures: failuresIn(junit), unsteady }
  if (code === 0 || outcome.failed > 0) return outcome
  // A file that doesn't load, or a run that is killed, fails without a failed test.
  return { ...outcome, failed: 1, failures: [`${paths.join(' ')}: bun test ended with ${code} and names no failed test`] }
}

/** Shows bun's lines, and adds the tests that passed only when tried again, which its report doesn't tell: file and name. */
async function show(lines: ReadableStream<Uint8Array>, output: 'inherit' | 'ignore', unsteady: string[]): Promise<void> {
  let file = ''
  for await (const line of createInterface({ input: Readable.fromWeb(lines) })) {
    if (output === 'inherit') process.stderr.write(`${line}\n`)
    const words = Bun.stripANSI(line)
    file = /^(\S+\.test\.ts):$/.exec(words)?.[1] ?? file
    const [, name] = /^\(pass\) (.*) \(attempt \d+\)/.exec(words) ?? []
    if (name) unsteady.push(`${file}: ${name}`)
  }
}

export function countsIn(junit: string): Counts {
  const head = /<testsuites\b[^>]*>/.exec(junit)?.[0] ?? ''
  const number = (name: string): number => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(head)?.[1] ?? 0)
  const failed = number('failures') + number('errors')
  const skipped = number('skipped')
  return { passed: number('tests') - failed - skipped, failed, skipped }
}

function failuresIn(junit: string): string[] {
  const failed = /<testcase\b([^>]*[^>/])>\s*<(?:failure|error)\b([^>]*)>/g
  return [...junit.matchAll(failed)].map(([, test = '', why = '']) => {
    const suite = attribute(test, 'classname')
    const [reason] = (attribute(why, 'message') || attribute(why, 'type')).split('\n')
    return `${attribute(test, 'file')}: ${suite ? `${suite} > ` : ''}${attribute(test, 'name')}: ${reason}`
  })
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#10': '\n' }

const attribute = (tag: string, name: string): string =>
  (new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '').replace(/&(#?\w+);/g, (whole, entity: string) => entities[entity] ?? whole)

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing of it is left.
  }
}
