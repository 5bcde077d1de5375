import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { type Finding, type RejectionCode, reject } from '../errors'
import { tracksMax } from '../limits/check'
import { noCageExit } from './cage/cage-options'
import type { CpuBudget } from './cpu-budget'
import { type ChildInput, type ChildOutcome, runChild, stderrBytesMax } from './run-child'
import { sandboxed } from './sandbox'
import type { CleanCopy } from './source-file'
import type { Tools } from './tools'

/** A 30 s video lists about 4,000 packets in half a megabyte. */
const outputBytesMax = 16 * 1024 * 1024

export type ToolRun = Pick<ChildInput, 'command' | 'inheritedFd' | 'niceness' | 'reportBytesMax'> & {
  /** Limit for the inherited file. */
  fileBytesMax?: number
  /** Shorter than the default deadline. */
  deadlineMs?: number
}

/** The file that a child processes. */
export type ChildFile = Pick<CleanCopy, 'folder' | 'format' | 'kind' | 'cpu' | 'signal'>

/** Runs one child on a file. If it fails, throws Failure<RejectionCode> with what the failure shows about the file. */
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
  if (exitCode === noCageExit) throw new Error(`a decoder can’t be isolated: ${outcome.stderr.trim()}`)
  if (killed === 'deadline') throw tooLarge(`over ${deadlineMs / 1000} s to decode`, `${deadlineMs / 1000} s`)
  if (outOfCpu)
    throw tooLarge(`over ${cpuSecondsMax} s of processor to decode`, `${cpuSecondsMax} s: send it smaller, or in another format`)
  if (exitCode === killedExit && !killed) throw new Error('the machine killed a decoder')
  if (exitCode === fileTooLargeExit) throw tooLarge(`more than ${fileBytesMax} bytes when written plainly`, `${fileBytesMax} bytes`)
  if (exitCode !== 0 || killed) {
    const stderr = errorLinesOf(outcome.stderr)
    if (machineFaults.test(stderr)) throw new Error(`the machine failed a decoder: ${stderr}`)
    const [, code, finding] = stderrRejections(tools).find(([words]) => words.test(stderr)) ?? [undefined, 'media_corrupt', damaged(format)]
    throw reject(code, finding, stderr)
  }
  return outcome
}

/** Of a full disk and of too many threads, which say nothing of the file. */
const machineFaults = /No space left on device|Resource temporarily unavailable/

const tooLarge = (measured: string, limit: string) => reject('media_too_large', { measured, limit })
const damaged = (format: string): Finding => ({ measured: 'a file that can’t be decoded to its end', limit: `a whole ${format}` })

/** Rejections for known error messages of ffmpeg and ffprobe. */
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
    [
      /exceeds max_streams/,
      'media_too_large',
      { measured: `more than ${tracksMax} tracks`, limit: `${tracksMax} tracks: export it with one picture and one sound` },
    ],
    // ENOMEM, as the system and ffmpeg's allocators report it.
    [
      /cannot allocate memory|could not allocate|get_buffer\(\) failed/i,
      'media_too_large',
      { measured: `over ${memory} of memory to decode`, limit: memory },
    ],
  ]
}

/** Standard error without the report lines, truncated. */
const errorLinesOf = (stderr: string): string =>
  stderr
    .split('\n')
    .filter(line => !line.includes('[info]'))
    .join('\n')
    .slice(0, stderrBytesMax)

/** 128 + SIGXFSZ. */
const fileTooLargeExit = 128 + 25

/** The costliest 5760 × 5760 picture takes 2.5 s on a slow machine, 30 s of sound take 0.1 s. */
const stillCpuSecondsMax = 10

/** 128 + SIGKILL. The kernel's CPU limit runs up to a fifth ahead of the reported time. */
const killedExit = 137

/** CPU seconds (whole, as for the kernel's limit) for one more child. Throws if the task has used its budget. */
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
