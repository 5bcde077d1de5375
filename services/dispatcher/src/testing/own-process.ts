import { join } from 'node:path'
import { until } from '@filmgate/kit/testing'

/** Killed when the tests end, however they end. */
const children = new Set<{ kill(signal: NodeJS.Signals): void }>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

const servicesFolder = join(import.meta.dir, '../../..')

export type OwnProcess = {
  pid: number
  url: string
  kill(signal: NodeJS.Signals): Promise<void>
}

/** Starts a service as its own process on a free port and waits until it serves. Its environment is what is given and nothing else. */
export async function startOwn(service: string, env: Record<string, string>, readyTimeoutMs = 60_000): Promise<OwnProcess> {
  const child = Bun.spawn([process.execPath, 'src/main.ts'], {
    cwd: join(servicesFolder, service),
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      PORT: '0',
      LOG_LEVEL: 'info',
      FILMGATE_DEVELOPMENT: '1',
      FILMGATE_DRAIN_MS: '0',
      ...env,
    },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  children.add(child)
  void child.exited.then(() => children.delete(child))
  const lines: string[] = []
  const port = Promise.withResolvers<number>()
  const reading = (async () => {
    let rest = ''
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      const complete = (rest + text).split('\n')
      rest = complete.pop() ?? ''
      for (const line of complete) {
        lines.push(line)
        const found = /"port":(\d+)/.exec(line)
        if (found?.[1] && line.includes('"listening"')) port.resolve(Number(found[1]))
        if (process.env.LOG_LEVEL === 'debug' || /"level":"(error|fatal)"/.test(line)) console.log(line)
      }
    }
    port.reject(new Error(`${service} ended before it listened:\n${lines.join('\n')}`))
  })()
  const url = `http://127.0.0.1:${await port.promise}`
  await until(
    `${service} is ready`,
    () =>
      fetch(`${url}/readyz`).then(
        answer => answer.ok,
        () => false,
      ),
    readyTimeoutMs,
  )
  return {
    pid: child.pid,
    url,
    async kill(signal) {
      child.kill(signal)
      await child.exited
      await reading
    },
  }
}
