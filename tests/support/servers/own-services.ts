import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addressesOf } from '@filmgate/tools/stack/addresses'
import { openInstance } from '@filmgate/tools/stack/instance'
import { signalTree, spawnChild } from '@filmgate/tools/stack/process/child'
import { isStopped } from '@filmgate/tools/stack/process/process-tree'
import { servicePlans } from '@filmgate/tools/stack/services'
import { instance as instanceName, settings } from '../settings'
import { until } from '../until'

/** As the stack itself waits: on a busy machine a service starts in a minute. */
const startMsMax = 180_000
/** The service says in its log, at this level, which one it took. */
const freePort = { PORT: '0', LOG_LEVEL: 'info' }

export type OwnGateway = { url: string; stop(): Promise<void> }

/**
 * One gateway more on the stack's servers, with settings of its own; an empty one means its default. Returns once it answers `path`: one
 * that is kept from its catalog is alive and never ready. Files that run at once may have one each: it takes a free port.
 */
export async function startOwnGateway(own: Record<string, string>, path: '/readyz' | '/healthz' = '/readyz'): Promise<OwnGateway> {
  const { url, stop } = await startOwn('gateway', { ...own, ...freePort }, path)
  return { url: `${url}/api/v1`, stop }
}

/** The stack's media-probe with settings of its own, on its port: the stack's one is stopped first. */
export const startOwnProbe = (own: Record<string, string>) => startOwn('media-probe', own, '/readyz')

export type OwnService = {
  url: string
  pid: number
  logFile: string
  freeze(): void
  isFrozen(): boolean
  resume(): void
  stop(): Promise<void>
}

/** One process more of a service, told what differs: `PORT` at least, where one of its name runs already; `0` takes a free one. */
export async function startOwn(name: string, own: Record<string, string>, path: '/readyz' | '/healthz'): Promise<OwnService> {
  const instance = openInstance(instanceName, settings.portBase)
  const plan = servicePlans({ instance, addresses: addressesOf(instance), gateways: 1, toolPath: [] }).find(each => each.name === name)
  if (!plan) throw new Error(`the stack has no plan of ${name}`)
  const env: Record<string, string> = { ...plan.env, FILMGATE_METRICS_PORT: '0', ...own }
  const logFile = join(instance.dir, 'logs', `${name}-own-${crypto.randomUUID().slice(0, 8)}.log`)
  const child = spawnChild({ ...plan, env }, logFile, () => {})
  const stop = async () => {
    child.kill('SIGTERM')
    await child.exited
  }
  const answering = async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}, see ${logFile}`)
    const port = env.PORT === freePort.PORT ? portOf(logFile) : env.PORT
    const url = `http://127.0.0.1:${port}`
    const answer = port ? await fetch(`${url}${path}`, { keepalive: false }).catch(() => undefined) : undefined
    return answer?.ok && url
  }
  const url = await until(`${name} to answer ${path}`, answering, startMsMax).catch(async error => {
    await stop()
    throw error
  })
  const freeze = () => signalTree(child, 'SIGSTOP')
  const isFrozen = () => isStopped(child.pid)
  const resume = () => signalTree(child, 'SIGCONT')
  return { url, pid: child.pid, logFile, freeze, isFrozen, resume, stop }
}

/** The port that a service has said it listens on. */
const portOf = (logFile: string) => /"port":(\d+),"msg":"listening"/.exec(readFileSync(logFile, 'utf8'))?.[1]
