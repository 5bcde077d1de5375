/** Who types the command where nobody is named: the login name; undefined where the machine knows none, as in a container. */
export function loginName(): string | undefined {
  const { USER, LOGNAME } = process.env
  return USER || LOGNAME || nameOfUser()
}

/** By the machine's list of users: the runtime's own answer is "unknown" where the environment names none. */
function nameOfUser(): string | undefined {
  const id = Bun.which('id')
  if (!id) return undefined
  const { exitCode, stdout } = Bun.spawnSync([id, '-un'], { stderr: 'ignore' })
  return exitCode === 0 ? stdout.toString().trim() || undefined : undefined
}
