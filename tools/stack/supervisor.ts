import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { addressesOf } from './addresses'
import { migrateServices } from './contents/migrations'
import { StackFault } from './fault'
import { fetchFfmpeg } from './fetch/ffmpeg'
import type { Instance } from './instance'
import { fromSource, type Launch } from './process/plan'
import { type SupervisedProcess, superviseProcess } from './process/process'
import type { Progress } from './process/progress'
import { isExternal, type ServerStart, serverStarts } from './server-starts'
import { servicePlans } from './services'

export interface StackOptions {
  gateways: number
  fresh: boolean
  launch?: Launch
}

/** All processes of an instance: starts servers before services, and stops in reverse. */
export function createSupervisor(instance: Instance, progress: Progress, options: StackOptions) {
  const { gateways, fresh, launch = fromSource } = options
  const { report, step } = progress
  const addresses = addressesOf(instance)
  const processes = new Map<string, SupervisedProcess>()
  const supervise = (plan: SupervisedProcess['plan']): SupervisedProcess => {
    const made = superviseProcess(plan, { logDir: join(instance.dir, 'logs'), report })
    processes.set(plan.name, made)
    return made
  }
  let stopping = false

  async function startServer({ name, label, fetch, provision }: ServerStart): Promise<void> {
    if (isExternal(name)) return step(`preparing your own ${label}`, provision)
    const server = supervise(await step(`fetching ${label}`, fetch))
    if (stopping) return
    await step(`starting ${label}`, server.start)
    if (stopping) return
    await step(`filling ${label}`, provision)
    report(`${label} on port ${server.plan.port}`)
  }

  /** Starts all servers concurrently, each after its own download. */
  async function startServers(): Promise<void> {
    if (fresh) dropData(instance)
    await Promise.all(serverStarts(instance, addresses).map(startServer))
  }

  async function startServices(): Promise<void> {
    const toolPath = await step('fetching ffmpeg', fetchFfmpeg)
    await step('migrating the databases', () => migrateServices(addresses, launch))
    const services = servicePlans({ instance, addresses, gateways, toolPath, launch }).map(supervise)
    if (stopping) return
    await Promise.all(services.map(each => step(`starting ${each.plan.name}`, each.start)))
    report(`services ready: ${services.map(({ plan }) => `${plan.name} ${plan.port}`).join(', ')}`)
  }

  async function stop(): Promise<void> {
    stopping = true
    const all = [...processes.values()]
    // Draining services still need their servers.
    for (const kind of ['service', 'server'] as const) {
      const some = all.filter(({ plan }) => plan.kind === kind)
      await Promise.all(
        some.map(each => step(`stopping ${each.plan.name}${each.plan.stopNotice ? `, which ${each.plan.stopNotice}` : ''}`, each.stop)),
      )
    }
  }

  async function killAll(): Promise<void> {
    stopping = true
    await Promise.all([...processes.values()].map(each => each.kill()))
  }

  function find(name: string): SupervisedProcess {
    const found = processes.get(name)
    if (!found) throw new StackFault(`There is no ${name} in this stack; it has ${[...processes.keys()].join(', ')}.`)
    return found
  }

  const status = () => [...processes.values()].map(each => each.status())
  return { instance, addresses, startServers, startServices, stop, killAll, find, status }
}

export type Supervisor = ReturnType<typeof createSupervisor>

/** Secrets, certificates and logs stay. */
function dropData({ dir }: Instance): void {
  for (const owner of ['postgres', 'kafka', 's3', 'simulator']) rmSync(join(dir, owner), { recursive: true, force: true })
}
