import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mustRun } from '@filmgate/tools/stack/fetch/run'
import { root } from '@filmgate/tools/stack/instance'
import postgres from 'postgres'
import { settings } from '../settings'
import { type OwnService, startOwn } from './own-services'
import { type PgBouncer, startPgBouncer } from './pgbouncer'

const owners = ['ledger', 'gateway', 'media-probe', 'dispatcher'] as const
type Owner = (typeof owners)[number]
type Service = Owner | 'catalog'

export type PooledServices = {
  url(service: Service): string
  pooler: PgBouncer
  /** The database of a service, round the pooler, as a role that is no superuser. */
  directUrl(owner: Owner): string
  logOf(service: Service): string
  /** The connections to the services' databases that Postgres has open. */
  connections(): Promise<{ database: string }[]>
  stop(): Promise<void>
}

/**
 * All that makes a video, on databases and topics of their own, through PgBouncer with `poolSize` connections to each database. `env` goes to
 * every service.
 */
export async function startPooledServices(poolSize: number, env: Record<string, string> = {}): Promise<PooledServices> {
  const name = `pooled_${crypto.randomUUID().slice(0, 8)}`
  const sql = postgres(settings.postgresUrl, { max: 1, onnotice: () => {} })
  await sql.unsafe(`create role ${name} login password '${name}'`)
  const databaseOf = (owner: Owner) => `${name}_${owner.replace('-', '_')}`
  const directUrl = (owner: Owner) =>
    Object.assign(new URL(settings.postgresUrl), { username: name, password: name, pathname: `/${databaseOf(owner)}` }).href
  const pooler = await startPgBouncer([{ user: name, password: name }], poolSize)
  const common = { FILMGATE_TOPIC_PREFIX: name.replace('_', '-'), FILMGATE_PARTITIONS: '2' }
  const databaseEnv = (owner: Owner) => ({ DATABASE_URL: pooler.url(directUrl(owner)), DATABASE_DIRECT_URL: directUrl(owner) })
  await mustRun('Declaring topics', [process.execPath, 'services/kit/bin/topics.ts'], {
    cwd: root,
    env: { ...common, KAFKA_BROKERS: settings.kafkaBrokers.join(',') },
  })
  for (const owner of owners) await sql.unsafe(`create database ${databaseOf(owner)} owner ${name}`)
  const migrate = (owner: Owner) =>
    mustRun('Migrating', [process.execPath, 'src/migrate.ts'], { cwd: join(root, 'services', owner), env: databaseEnv(owner) })
  await Promise.all(owners.map(migrate))
  const started = new Map<Service, OwnService>()
  const of = (service: Service): OwnService => started.get(service) as OwnService
  const stop = async () => {
    await Promise.all([...started.values()].map(each => each.stop()))
    await pooler.stop()
    for (const owner of owners) await sql.unsafe(`drop database ${databaseOf(owner)} with (force)`)
    await sql.unsafe(`drop role ${name}`)
    await sql.end()
  }
  const start = async (service: Service) => {
    const own = { ...env, ...common, ...(service !== 'catalog' && databaseEnv(service)), PORT: '0', LOG_LEVEL: 'info' }
    started.set(service, await startOwn(service, own, '/readyz'))
  }
  const starting = (['catalog', ...owners] as const).map(start)
  try {
    await Promise.all(starting)
  } catch (error) {
    await Promise.allSettled(starting)
    await stop()
    throw error
  }
  return {
    url: service => of(service).url,
    pooler,
    directUrl,
    logOf: service => readFileSync(of(service).logFile, 'utf8'),
    connections: async () => [
      ...(await sql<{ database: string }[]>`select datname as database from pg_stat_activity where usename = ${name}`),
    ],
    stop,
  }
}
