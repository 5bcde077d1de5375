import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import type { Plan } from './plan'
import { processTree } from './process-tree'

const lastLinesShown = 12

/** Starts the plan's command, its words going to the end of the log file. */
export function spawnChild({ command, cwd, env }: Plan, logFile: string, onExit: (child: Bun.Subprocess) => void): Bun.Subprocess {
  const log = openSync(logFile, 'a')
  const child = Bun.spawn(endWithParent(command, 'KILL'), {
    cwd,
    env: { ...process.env, ...env },
    stdin: 'ignore',
    stdout: log,
    stderr: log,
    // A session of its own: Ctrl-C reaches the stack alone, which then stops its processes in order.
    detached: true,
    onExit,
  })
  closeSync(log)
  return child
}

/** To the whole tree: Postgres puts its processes into groups of their own, and one whose parent alone is frozen serves on over its open connections. */
export function signalTree(child: Bun.Subprocess, signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
  for (const pid of processTree(child.pid)) {
    try {
      process.kill(pid, signal)
    } catch {
      // It ended meanwhile.
    }
  }
}

export const lastLines = (logFile: string): string =>
  existsSync(logFile) ? readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-lastLinesShown).join('\n') : ''

/**
 * The command, ended by the kernel when this process dies without a chance to do so itself (kill -9). Said in a command's own
 * setpriv where it has one, because a change of user afterwards would undo it.
 */
export function endWithParent(command: string[], signal: 'KILL' | 'TERM'): string[] {
  if (!Bun.which('setpriv')) return command
  return ['setpriv', '--pdeathsig', signal, ...(command[0] === 'setpriv' ? command.slice(1) : command)]
}
