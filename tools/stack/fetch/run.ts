import { StackFault } from '../fault'
import { endWithParent } from '../process/child'

export interface RunResult {
  code: number
  output: string
}

export interface RunOptions {
  cwd?: string
  env?: Record<string, string>
  timeoutMs?: number
  /** Finishes even if the stack dies: an interrupted package manager leaves a broken machine. */
  outlivesParent?: boolean
}

/** Runs a command and returns its output. A missing command has code 127. */
export async function run(command: string[], { cwd, env, timeoutMs = 600_000, outlivesParent }: RunOptions = {}): Promise<RunResult> {
  if (!Bun.which(command[0] ?? '')) return { code: 127, output: `${command[0]}: not found` }
  const child = Bun.spawn(outlivesParent ? command : endWithParent(command, 'TERM'), {
    cwd,
    env: { ...process.env, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: timeoutMs,
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, output: `${out}${err}`.trim() }
}

/** The same; a failure throws with the command's last output. */
export async function mustRun(what: string, command: string[], options: RunOptions = {}): Promise<string> {
  const { code, output } = await run(command, options)
  if (code === 0) return output
  throw commandFault(what, command, code, output)
}

/** A fault with the command's last output. Maven prints the cause first. */
export function commandFault(what: string, command: string[], code: number, output: string): StackFault {
  if (/no space left on device/i.test(output))
    return new StackFault(`The disk is full: ${what} needs room; free a few hundred megabytes and run the command again.`)
  const lines = output.split('\n')
  const cause = lines.find(line => /^\[ERROR\] (?!\s*$)/.test(line))
  return new StackFault(`${what} failed: \`${command.join(' ')}\` ended with ${code}: ${cause ?? lines.slice(-4).join(' ')}`)
}
