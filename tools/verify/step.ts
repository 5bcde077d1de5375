/** A check of `bun run verify`. `output` lists the faults, and `fix` says what to do. */
export interface Step {
  name: string
  fix: string
  /** The files that it reads: `--changed` skips it if none of them changed. Without it, it reads everything. */
  reads?: RegExp
  /** `changed`: the files that differ from the last commit, if only they matter. */
  run: (changed?: string[]) => Promise<Outcome>
}

export interface Outcome {
  ok: boolean
  output: string
  /** Why part of it was skipped, such as a missing tool. */
  skipReason?: string
}

const running = new Set<number>()
const stepTimeoutMs = 300_000
/** Time to read the output of a process that left children with open pipes. */
const pipeDrainMs = 500

/** Runs a command as a step: exit status 0 passes. Kills all processes that it leaves behind. */
export async function runCommand(command: string[], { cwd, env }: { cwd?: string; env?: Record<string, string> } = {}): Promise<Outcome> {
  const child = Bun.spawn(command, {
    cwd,
    env: { ...process.env, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    detached: true,
  })
  running.add(child.pid)
  const chunks: string[] = []
  const read = Promise.all([collect(child.stdout, chunks), collect(child.stderr, chunks)])
  const code = await Promise.race([child.exited, Bun.sleep(stepTimeoutMs).then(() => `not finished after ${stepTimeoutMs / 1000} s`)])
  await Promise.race([read, Bun.sleep(typeof code === 'number' ? pipeDrainMs : 0)])
  endGroup(child.pid)
  if (typeof code === 'string') chunks.push(`\n${code}`)
  return { ok: code === 0, output: chunks.join('').trim() }
}

/** For Ctrl-C: the commands run in their own process groups. */
export function endRunning(): void {
  for (const pid of running) endGroup(pid)
}

function endGroup(pid: number): void {
  running.delete(pid)
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Usually nothing is left.
  }
}

async function collect(stream: ReadableStream<Uint8Array>, chunks: string[]): Promise<void> {
  const decoder = new TextDecoder()
  for await (const chunk of stream) chunks.push(decoder.decode(chunk, { stream: true }))
}

/** Passes if there are no faults. */
export const passIfNone = (offenders: string[]): Outcome => ({ ok: offenders.length === 0, output: offenders.join('\n') })
