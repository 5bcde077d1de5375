import { setPriority } from 'node:os'
import type { FrameSize } from '../generation/frame-size'

export type FfmpegDeps = { ffmpeg: string; ffprobe: string }

/** Lower than the services beside it: a render may be late, a request may not. From 10 on it waits for minutes on a busy machine. */
const niceness = 5
const renderTimeoutMs = 600_000
const probeTimeoutMs = 15_000
/** Processor time after which the kernel ends a render, even one whose parent was killed: a looped picture whose file is gone never ends by itself. */
const cpuSecondsMax = 300

/** Runs ffmpeg in `folder`; rejects with its last words. */
export async function runFfmpeg({ ffmpeg }: FfmpegDeps, args: string[], folder: string, signal: AbortSignal): Promise<void> {
  await run(
    [ffmpeg, '-v', 'error', '-nostdin', '-y', '-timelimit', String(cpuSecondsMax), ...args],
    folder,
    AbortSignal.any([signal, AbortSignal.timeout(renderTimeoutMs)]),
  )
}

/** Width and height of the first picture in a file; undefined where there is none. */
export async function measureSize({ ffprobe }: FfmpegDeps, path: string, folder: string): Promise<FrameSize | undefined> {
  const args = [
    '-v',
    'error',
    '-protocol_whitelist',
    'file',
    '-select_streams',
    'v:0',
    '-show_entries',
    'stream=width,height',
    '-of',
    'csv=p=0',
    path,
  ]
  const words = await run([ffprobe, ...args], folder, AbortSignal.timeout(probeTimeoutMs)).catch(() => '')
  const [width, height] = words.trim().split(',').map(Number)
  return width && height ? { width, height } : undefined
}

async function run(command: string[], cwd: string, signal: AbortSignal): Promise<string> {
  const child = Bun.spawn(command, { cwd, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe', signal, killSignal: 'SIGKILL' })
  try {
    setPriority(child.pid, niceness)
  } catch {
    // It may have ended already.
  }
  const [out, words, status] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  if (status !== 0) throw new Error(`${command[0]} left with ${child.signalCode ?? status}: ${words.slice(-500)}`)
  return out
}
