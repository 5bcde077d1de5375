export type Ran = { code: number; output: string; errors: string }

/** Runs a command to its end. */
export async function run(
  command: string[],
  { input, env, cwd, timeoutMs = 600_000 }: { input?: string; env?: Record<string, string>; cwd?: string; timeoutMs?: number } = {},
): Promise<Ran> {
  const child = Bun.spawn(command, {
    cwd,
    env: { ...process.env, ...env },
    stdin: input === undefined ? 'ignore' : new Blob([input]),
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: timeoutMs,
  })
  const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, output, errors }
}

/** The same; a failure throws with the command's last words. */
export async function mustRun(command: string[], options: Parameters<typeof run>[1] = {}): Promise<string> {
  const { code, output, errors } = await run(command, options)
  if (code === 0) return output
  const words = `${output}\n${errors}`.split('\n').filter(line => line && !line.includes('found symbolic link'))
  throw new Error(`${command.join(' ').slice(0, 300)} ended with ${code}:\n${words.slice(-25).join('\n')}`)
}

/** Waits until `probe` gives something; the last fault is told where it never does. */
export async function eventually<T>(
  what: string,
  timeoutMs: number,
  probe: () => Promise<T | undefined | false>,
  everyMs = 500,
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  let fault: unknown
  while (Date.now() < deadline) {
    try {
      const found = await probe()
      if (found !== undefined && found !== false) return found
    } catch (error) {
      fault = error
    }
    await Bun.sleep(everyMs)
  }
  throw new Error(`${what}: not within ${timeoutMs / 1000} s${fault ? `; last: ${fault instanceof Error ? fault.message : fault}` : ''}`)
}
