import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { addressesOf } from '@filmgate/tools/stack/addresses'
import { openInstance } from '@filmgate/tools/stack/instance'
import { signalTree, spawnChild } from '@filmgate/tools/stack/process/child'
import { isStopped } from '@filmgate/tools/stack/process/process-tree'
import { servicePlans } from '@filmgate/tools/stack/services'
import { instance as instanceName, settings } from '../settings'
import { until } from '../until'

const startMsMax = 60_000

export type OwnGateway = { url: string; stop(): Promise<void> }

/**
 * One gateway more on the stack's servers, with settings of its own; an empty one means its default. Returns once it answers `path`: one
 * that is kept from its catalog is alive and never ready.
 */
export async function startOwnGateway(own: Record<string, string>, path: '/readyz' | '/healthz' = '/readyz'): Promise<OwnGateway> {
  const { url, stop } = await startOwn('gateway-3', own, path)
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

/** One process more of a service, told what differs: `PORT` at least, where one of its name runs already. */
export async function startOwn(name: string, own: Record<string, string>, path: '/readyz' | '/healthz'): Promise<OwnService> {
  const instance = openInstance(instanceName, settings.portBase)
  const plan = servicePlans({ instance, addresses: addressesOf(instance), gateways: 3, toolPath: [] }).find(each => each.name === name)
  if (!plan) throw new Error(`the stack has no plan of ${name}`)
  const logFile = join(instance.dir, 'logs', `${name}-own-${own.PORT ?? plan.port}.log`)
  rmSync(logFile, { force: true })
  const child = spawnChild({ ...plan, env: { ...plan.env, ...own } }, logFile, () => {})
  const address = `http://127.0.0.1:${own.PORT ?? plan.port}`
  const stop = async () => {
    child.kill('SIGTERM')
    await child.exited
  }
  const answers = async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}, see ${logFile}`)
    const answer = await fetch(`${address}${path}`, { keepalive: false }).catch(() => undefined)
    return answer?.ok
  }
  await until(`${name} to answer ${path}`, answers, startMsMax).catch(async error => {
    await stop()
    throw error
  })
  const freeze = () => signalTree(child, 'SIGSTOP')
  const isFrozen = () => isStopped(child.pid)
  const resume = () => signalTree(child, 'SIGCONT')
  return { url: address, pid: child.pid, logFile, freeze, isFrozen, resume, stop }
}
