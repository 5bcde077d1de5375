import { setPriority } from 'node:os'
import { histogram } from '@filmgate/kit/telemetry/metrics'
import { childPath } from './programs'
import { openReportPipe, type ReportPipe } from './report-pipe'

export type ChildOutcome = {
  output: string
  /** Truncated, or the whole report. For logs and decisions, never for clients. */
  stderr: string
  exitCode: number
  /** User and system time of all threads. */
  cpuSeconds: number
  /** Why it was killed. */
  killed: 'deadline' | 'output' | 'interrupted' | undefined
}

export type ChildInput = {
  command: string[]
  deadlineMs: number
  outputBytesMax: number
  /** The child writes a report to standard error: the bytes to keep. More kills it. */
  reportBytesMax?: number
  /** A file that the child inherits as descriptor 3. */
  inheritedFd?: number
  /** Up to 19, the lowest priority. */
  niceness?: number
  signal: AbortSignal
}

export const stderrBytesMax = 4_096
/** Our event loop, which serves downloads and leases, has priority over decoding. */
const defaultNiceness = 5

const seconds = histogram('probe_child_seconds', 'Wall time of one measuring child', [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 40, 60, 90])
const peaks = histogram(
  'probe_child_peak_mebibytes',
  'Peak resident memory of one measuring child',
  [32, 64, 128, 256, 512, 768, 1024, 1536, 2048, 3072],
)

/**
 * Runs a child to its end, or kills it at the deadline, at too much output, or on abort.
 * It inherits no environment.
 */
export async function runChild(input: ChildInput): Promise<ChildOutcome> {
  const { command, deadlineMs, outputBytesMax, reportBytesMax, inheritedFd, niceness = defaultNiceness, signal } = input
  signal.throwIfAborted()
  const pipe = reportBytesMax === undefined ? undefined : openReportPipe()
  const startedAt = performance.now()
  const child = spawnChild(command, pipe, inheritedFd)
  lowerPriority(child.pid, niceness)
  let killed: ChildOutcome['killed']
  const kill = (reason: NonNullable<ChildOutcome['killed']>) => {
    killed ??= reason
    killGroup(child.pid)
  }
  const interrupt = () => kill('interrupted')
  const readStderr = (): Promise<string> => {
    if (pipe && reportBytesMax) return pipe.readToEnd(reportBytesMax, () => kill('output'))
    return readCapped(child.stderr as ReadableStream<Uint8Array>, stderrBytesMax)
  }
  const timer = setTimeout(() => kill('deadline'), deadlineMs)
  signal.addEventListener('abort', interrupt, { once: true })
  try {
    const [output, stderr, exitCode] = await Promise.all([
      readCapped(child.stdout, outputBytesMax, () => kill('output')),
      readStderr(),
      child.exited,
    ])
    const cpuSeconds = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1_000_000
    return { output, stderr, exitCode, cpuSeconds, killed }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', interrupt)
    pipe?.close()
    seconds.record((performance.now() - startedAt) / 1000)
    peaks.record((child.resourceUsage()?.maxRSS ?? 0) / 1_048_576)
  }
}

/** In its own process group, so that its descendants are killed with it. */
function spawnChild(command: string[], pipe: ReportPipe | undefined, inheritedFd: number | undefined) {
  try {
    return Bun.spawn(command, {
      stdio: ['ignore', 'pipe', pipe?.fd ?? 'pipe', ...(inheritedFd === undefined ? [] : [inheritedFd])],
      env: { PATH: childPath },
      // Where no settings of a runtime are looked for.
      cwd: '/',
      detached: true,
    })
  } catch (error) {
    pipe?.close()
    throw error
  }
}

/** Drains the stream, so that the child never blocks, and keeps at most `bytesMax`. */
async function readCapped(stream: ReadableStream<Uint8Array>, bytesMax: number, onOverflow = () => {}): Promise<string> {
  const kept: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of stream) {
    if (bytes < bytesMax) kept.push(chunk.subarray(0, bytesMax - bytes))
    bytes += chunk.length
    if (bytes > bytesMax) onOverflow()
  }
  return Buffer.concat(kept).toString()
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has already ended.
  }
}

function lowerPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness)
  } catch {
    // It has ended already.
  }
}
