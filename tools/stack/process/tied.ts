/**
 * The command, ended by the kernel when this process dies without a chance to do so itself (kill -9). Said in a command's own
 * setpriv where it has one, because a change of user afterwards would undo it.
 */
export function tied(command: string[], signal: 'KILL' | 'TERM'): string[] {
  if (!Bun.which('setpriv')) return command
  return ['setpriv', '--pdeathsig', signal, ...(command[0] === 'setpriv' ? command.slice(1) : command)]
}
