import { type OwnService, startOwn } from '../../../support/servers/own-services'
import { move } from '../../../support/stack'
import { type Balancer, startBalancer } from './balancer'

export const rolled = ['catalog', 'ledger', 'media-probe', 'webhooks', 'gateway', 'dispatcher', 'console'] as const
export type Rolled = (typeof rolled)[number]
type Env = Record<string, string>

/** As the charts have them: the gateway has two replicas, the others are enough with one. */
const replicas = (service: Rolled): number => (service === 'gateway' ? 2 : 1)
/** Longer than a connection that is just being opened takes. */
const removedMs = 1_000
/** Every kept connection carries a request within it, and is closed with its answer. */
const drainMs = '3000'

export type RolledServices = {
  url(service: Rolled): string
  /** Replaces each replica as a rolling update does: the new one serves before the old one is taken out, drained and ended. */
  roll(envOf: (service: Rolled) => Env): Promise<void>
  logFiles(): string[]
  stop(): Promise<void>
}

/** The services in place of the stack's own, which stay down, on its servers; each is behind an address that stays the same. */
export async function startRolledServices(envOf: (service: Rolled) => Env): Promise<RolledServices> {
  const balancers = new Map<Rolled, Balancer>()
  for (const service of rolled) balancers.set(service, await startBalancer())
  const running = new Map<Rolled, OwnService[]>(rolled.map(service => [service, []]))
  const logFiles: string[] = []
  const of = <T>(map: Map<Rolled, T>, service: Rolled): T => map.get(service) as T
  const url = (service: Rolled) => of(balancers, service).url
  const neighbours = {
    FILMGATE_GATEWAY_URL: url('gateway'),
    FILMGATE_LEDGER_URL: url('ledger'),
    FILMGATE_DISPATCHER_URL: url('dispatcher'),
    FILMGATE_MEDIA_PROBE_URL: url('media-probe'),
    FILMGATE_WEBHOOKS_URL: url('webhooks'),
    FILMGATE_CONSOLE_URL: url('console'),
    FILMGATE_API_URL: `${url('gateway')}/api/v1`,
  }

  async function start(service: Rolled, env: Env): Promise<void> {
    const own = await startOwn(service, { ...neighbours, ...env, PORT: '0', LOG_LEVEL: 'info', FILMGATE_DRAIN_MS: drainMs }, '/readyz')
    logFiles.push(own.logFile)
    of(running, service).push(own)
    of(balancers, service).add(Number(new URL(own.url).port))
  }

  async function end(service: Rolled, old: OwnService): Promise<void> {
    of(balancers, service).remove(Number(new URL(old.url).port))
    await Bun.sleep(removedMs)
    await old.stop()
    running.set(
      service,
      of(running, service).filter(each => each !== old),
    )
  }

  async function stop(): Promise<void> {
    await Promise.all([...running.values()].flat().map(each => each.stop()))
    for (const balancer of balancers.values()) balancer.stop()
  }

  for (const service of rolled) await move(service, 'stop')
  try {
    for (const service of rolled) for (let replica = 0; replica < replicas(service); replica++) await start(service, envOf(service))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url,
    async roll(envOf) {
      for (const service of rolled)
        for (const old of [...of(running, service)]) {
          await start(service, envOf(service))
          await end(service, old)
        }
    },
    logFiles: () => logFiles,
    stop,
  }
}
