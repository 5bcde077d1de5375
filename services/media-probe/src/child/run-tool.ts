import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { type Finding, type RejectionCode, reject } from '../errors'
import type { CpuBudget } from './cpu-budget'
import { type ChildInput, type ChildOutcome, runChild, stderrBytesMax } from './run-child'
import { sandboxed } from './sandbox'
import type { CleanCopy } from './source-file'
import type { Tools } from './tools'

/** A film of half a minute lists some four thousand packets in half a megabyte. */
const outputBytesMax = 16 * 1024 * 1024

export type ToolRun = Pick<ChildInput, 'command' | 'inheritedFd' | 'niceness' | 'reportBytesMax'> & {
  /** What it may write to the file that is handed over. */
  fileBytesMax?: number
  /** Sooner than the usual deadline, for work that needs less. */
  deadlineMs?: number
}

/** What a child works on. */
export type ChildFile = Pick<CleanCopy, 'folder' | 'format' | 'kind' | 'cpu' | 'signal'>

/** Runs one child on a file to its end. Throws Failure<RejectionCode> where it fails, with what that says of the file. */
export async function runTool(tools: Tools, { folder, format, kind, cpu, signal }: ChildFile, run: ToolRun): Promise<ChildOutcome> {
  const { command, fileBytesMax = 0, ...rest } = run
  const deadlineMs = Math.min(run.deadlineMs ?? tools.childDeadlineMs, tools.childDeadlineMs)
  const cpuSecondsMax = cpuSecondsLeft(tools, kind, cpu)
  const sandboxedCommand = sandboxed(tools.isolation, folder, { ...tools.childLimits, cpuSecondsMax }, command, fileBytesMax)
  const outcome = await runChild({ ...rest, command: sandboxedCommand, deadlineMs, outputBytesMax, signal })
  const { exitCode, killed } = outcome
  const outOfCpu = exitCode === killedExit && !killed && outcome.cpuSeconds >= cpuSecondsMax / 2
  cpu?.take(outOfCpu ? cpuSecondsMax : outcome.cpuSeconds)
  if (killed === 'interrupted') throw signal.reason
  if (killed === 'deadline') throw tooLarge(`over ${deadlineMs / 1000} s to decode`, `${deadlineMs / 1000} s`)
  if (outOfCpu)
    throw tooLarge(`over ${cpuSecondsMax} s of processor to decode`, `${cpuSecondsMax} s: send it smaller, or in another format`)
  if (exitCode === fileTooLargeExit) throw tooLarge(`more than ${fileBytesMax} bytes when written plainly`, `${fileBytesMax} bytes`)
  if (exitCode !== 0 || killed) {
    const stderr = errorLinesOf(outcome.stderr)
    const [, code, finding] = stderrRejections(tools).find(([words]) => words.test(stderr)) ?? [undefined, 'media_corrupt', damaged(format)]
    throw reject(code, finding, stderr)
  }
  return outcome
}

const tooLarge = (measured: string, limit: string) => reject('media_too_large', { measured, limit })
const damaged = (format: string): Finding => ({ measured: 'a file that can’t be decoded to its end', limit: `a whole ${format}` })

/** What a child's last words say of the file, where they say more than that it failed. */
function stderrRejections({ childLimits }: Tools): [pattern: RegExp, code: RejectionCode, finding: Finding][] {
  const memory = `${Math.floor(childLimits.memoryBytesMax / 1_048_576)} MiB`
  return [
    [
      /exceeds specified max pixel count/,
      'media_dimensions',
      { measured: 'a frame larger than the file says', limit: 'one size throughout' },
    ],
    [
      /moov atom not found|corrupt input packet|partial file/,
      'media_corrupt',
      { measured: 'a file that is cut short', limit: 'the whole file' },
    ],
    // ENOMEM in the system's words and in those of ffmpeg's own allocators.
    [
      /cannot allocate memory|could not allocate|get_buffer\(\) failed/i,
      'media_too_large',
      { measured: `over ${memory} of memory to decode`, limit: memory },
    ],
  ]
}

/** Without the lines in which a child reports its work, and cut short. */
const errorLinesOf = (stderr: string): string =>
  stderr
    .split('\n')
    .filter(line => !line.includes('[info]'))
    .join('\n')
    .slice(0, stderrBytesMax)

/** Ended by SIGXFSZ, as a shell counts. */
const fileTooLargeExit = 128 + 25

/** The costliest picture of 5760 × 5760 takes two and a half on a slow machine; a sound of half a minute a tenth of one. */
const stillCpuSecondsMax = 10

/** 128 and SIGKILL. The system's own count of a child's seconds, by which it kills, runs up to a fifth ahead of what it reports. */
const killedExit = 137

/** Whole seconds, as the system counts them, that one more child may use. Throws where the task has used up its own. */
function cpuSecondsLeft({ childLimits: { cpuSecondsMax } }: Tools, kind: MediaKind, cpu: CpuBudget | undefined): number {
  const ownMax = kind === MediaKind.VIDEO ? cpuSecondsMax : Math.min(cpuSecondsMax, stillCpuSecondsMax)
  if (!cpu) return ownMax
  if (cpu.secondsLeft() <= 0)
    throw reject('media_too_large', {
      measured: `over ${cpu.secondsMax} s of processor for all files together`,
      limit: `${cpu.secondsMax} s: send smaller or fewer files`,
    })
  return Math.min(ownMax, Math.ceil(cpu.secondsLeft()))
}
