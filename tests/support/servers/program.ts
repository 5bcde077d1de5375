import { spawnChild } from '@filmgate/tools/stack/process/child'
import { until } from '../until'

const startMsMax = 300_000

type Program = {
  name: string
  command: string[]
  folder: string
  env?: Record<string, string>
  logFile: string
  /** Answers 2xx once the program serves. */
  healthUrl: string
}

/** A server that is none of ours. Returns once it serves; throws where it ends before, with its log file. */
export async function startProgram({ name, command, folder, env = {}, logFile, healthUrl }: Program): Promise<{ stop(): Promise<void> }> {
  const child = spawnChild({ command, cwd: folder, env }, logFile, () => {})
  const stop = async () => {
    child.kill('SIGTERM')
    await child.exited
  }
  const answers = async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}, see ${logFile}`)
    return (await fetch(healthUrl).catch(() => undefined))?.ok
  }
  await until(`${name} to answer`, answers, startMsMax).catch(async error => {
    await stop()
    throw error
  })
  return { stop }
}

/** For a program that can't listen on port 0. */
export function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port = 0 } = server
  server.stop(true)
  return port
}
