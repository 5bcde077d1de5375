import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mustRun } from '@filmgate/tools/stack/fetch/run'
import { root } from '@filmgate/tools/stack/instance'
import postgres from 'postgres'
import { settings } from '../settings'
import { until } from '../until'
import { type OwnService, startOwn } from './own-services'

const services = ['catalog', 'ledger', 'gateway'] as const
type Service = (typeof services)[number]

export type SecureServices = {
  url(service: Service): string
  /** What all of them have logged, and whether each one has logged some words. */
  logs(): string
  allSay(words: string, timeoutMs?: number): Promise<void>
  /** The services that are ready. */
  ready(): Promise<Service[]>
  stop(): Promise<void>
}

/** Catalog, ledger and gateway on databases of their own, so that nothing of the stack's meets what is on this broker. */
export async function startSecureServices(env: Record<string, string>): Promise<SecureServices> {
  const databases = await createDatabases()
  const started = new Map<Service, OwnService>()
  for (const [index, service] of services.entries()) {
    const own = { ...env, PORT: String(settings.portBase + 34 + index), DATABASE_URL: databases.urls[service] ?? '' }
    started.set(service, await startOwn(service, own, '/healthz'))
  }
  const of = (service: Service): OwnService => started.get(service) as OwnService
  const logOf = (service: Service) => readFileSync(of(service).logFile, 'utf8')
  return {
    url: service => of(service).url,
    logs: () => services.map(logOf).join('\n'),
    async allSay(words, timeoutMs) {
      for (const service of services) await until(`${service} to say "${words}"`, async () => logOf(service).includes(words), timeoutMs)
    },
    async ready() {
      const answers = await Promise.all(services.map(service => fetch(`${of(service).url}/readyz`, { keepalive: false })))
      return services.filter((_, index) => answers[index]?.ok)
    },
    async stop() {
      await Promise.all([...started.values()].map(each => each.stop()))
      await databases.drop()
    },
  }
}

async function createDatabases() {
  const sql = postgres(settings.postgresUrl, { max: 1, onnotice: () => {} })
  const name = (service: Service) => `secure_${service}_${crypto.randomUUID().slice(0, 8)}`
  const names = { ledger: name('ledger'), gateway: name('gateway') }
  const urls: Partial<Record<Service, string>> = {}
  for (const [service, database] of Object.entries(names)) {
    await sql.unsafe(`create database ${database}`)
    urls[service as Service] = Object.assign(new URL(settings.postgresUrl), { pathname: `/${database}` }).href
    const env = { DATABASE_URL: urls[service as Service] ?? '' }
    await mustRun('Migrating', [process.execPath, 'src/migrate.ts'], { cwd: join(root, 'services', service), env })
  }
  return {
    urls,
    async drop() {
      for (const database of Object.values(names)) await sql.unsafe(`drop database ${database} with (force)`)
      await sql.end()
    },
  }
}
