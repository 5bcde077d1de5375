import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import type { Plan } from './plan'
import { processTree } from './process-tree'

const lastLinesShown = 12

/** Starts the plan's command and appends its output to the log file. */
export function spawnChild(
  { command, cwd, env }: Pick<Plan, 'command' | 'cwd' | 'env'>,
  logFile: string,
  onExit: (child: Bun.Subprocess) => void,
): Bun.Subprocess {
  const log = openSync(logFile, 'a')
  const child = Bun.spawn(endWithParent(command, 'KILL'), {
    cwd,
    env: { ...process.env, ...env },
    stdin: 'ignore',
    stdout: log,
    stderr: log,
    // In its own session: Ctrl-C reaches only the stack, which stops its processes in order.
    detached: true,
    onExit,
  })
  closeSync(log)
  return child
}

/**
 * Signals the whole tree: Postgres uses several process groups, and backends keep serving if only the parent is
 * stopped.
 */
export function signalTree(child: Bun.Subprocess, signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
  for (const pid of processTree(child.pid)) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has already ended.
    }
  }
}

export const lastLines = (logFile: string): string =>
  existsSync(logFile) ? readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-lastLinesShown).join('\n') : ''

/**
 * Wraps a command so that the kernel ends it when this process dies. Reuses the command's own setpriv,
 * because a later change of user would undo it.
 */
export function endWithParent(command: string[], signal: 'KILL' | 'TERM'): string[] {
  if (!Bun.which('setpriv')) return command
  return ['setpriv', '--pdeathsig', signal, ...(command[0] === 'setpriv' ? command.slice(1) : command)]
}
