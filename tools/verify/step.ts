/** One check of `bun run verify`. A step says what is wrong in `output`, and `cure` says what to do about it. */
export interface Step {
  name: string
  fix: string
  /** What it reads; with `--changed` it is left out where nothing of that has changed. Without, it reads everything. */
  reads?: RegExp
  /** `changed`: the files that differ from the last commit, where only they matter. */
  run: (changed?: string[]) => Promise<Outcome>
}

export interface Outcome {
  ok: boolean
  output: string
  /** What was left out and why: a tool that this machine can't have. */
  skipReason?: string
}

const running = new Set<number>()
const stepTimeoutMs = 300_000
/** How long a process that has ended may still be quoted by one that it left behind. */
const pipeDrainMs = 500

/** A step that is a command: it is fine when the command ends with 0. Whatever it leaves running is ended with it. */
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

/** For Ctrl-C: the commands run in groups of their own and would go on. */
export function endRunning(): void {
  for (const pid of running) endGroup(pid)
}

function endGroup(pid: number): void {
  running.delete(pid)
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The usual case: nothing was left.
  }
}

async function collect(stream: ReadableStream<Uint8Array>, chunks: string[]): Promise<void> {
  const decoder = new TextDecoder()
  for await (const chunk of stream) chunks.push(decoder.decode(chunk, { stream: true }))
}

/** A step that looks for offenders itself. */
export const passIfNone = (offenders: string[]): Outcome => ({ ok: offenders.length === 0, output: offenders.join('\n') })
