import { existsSync, readFileSync, rmSync } from 'node:fs'

export interface Counts {
  passed: number
  failed: number
  skipped: number
}

export interface TestRun {
  paths: string[]
  env: Record<string, string>
  signal: AbortSignal
  reportFile: string
  output?: 'inherit' | 'ignore'
}

const testTimeoutMs = 60_000

/** Runs `bun test` on the paths, its lines shown as they come, and counts from its report. A run that leaves no report has failed. */
export async function bunTest({ paths, env, signal, reportFile, output = 'inherit' }: TestRun): Promise<Counts> {
  rmSync(reportFile, { force: true })
  const report = ['--reporter=junit', `--reporter-outfile=${reportFile}`]
  const child = Bun.spawn([process.execPath, 'test', '--timeout', String(testTimeoutMs), ...report, ...paths.map(path => `./${path}`)], {
    env: { ...process.env, ...env },
    stdin: 'ignore',
    stdout: output,
    stderr: output,
    // A group of its own, so that whatever a test started ends with it.
    detached: true,
  })
  const end = () => killGroup(child.pid)
  signal.addEventListener('abort', end, { once: true })
  const code = await child.exited
  signal.removeEventListener('abort', end)
  end()
  const counts = existsSync(reportFile) ? countsIn(readFileSync(reportFile, 'utf8')) : { passed: 0, failed: 0, skipped: 0 }
  // A file that doesn't load, or a run that is killed, fails without a failed test.
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

export function countsIn(junit: string): Counts {
  const head = /<testsuites\b[^>]*>/.exec(junit)?.[0] ?? ''
  const number = (name: string): number => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(head)?.[1] ?? 0)
  const failed = number('failures') + number('errors')
  const skipped = number('skipped')
  return { passed: number('tests') - failed - skipped, failed, skipped }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing of it is left.
  }
}
