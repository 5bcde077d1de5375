import { type DatabaseOwner, databaseOwners } from './contents/database-owners'
import type { Instance } from './instance'
import { superuser } from './servers/postgres'
import { s3Credentials } from './servers/s3'

/** Addresses of the backing servers: the stack's own, or external ones from the environment. */
export interface Addresses {
  /** With a role that may create databases and roles. */
  postgresUrl: string
  /** The same for each database that has a server of its own. */
  ownPostgresUrls: Partial<Record<DatabaseOwner, string>>
  kafkaBrokers: string
  redisUrl: string
  s3: { endpoint: string; region: string; accessKeyId: string; secretAccessKey: string }
  /** Public base URL of outputs, without credentials. */
  outputBaseUrl: string
}

export const buckets = { inputs: 'filmgate-inputs', outputs: 'filmgate-outputs', uploads: 'filmgate-uploads' }

export type ServerName = 'postgres' | 'kafka' | 'redis' | 's3'

/** A server whose variable is set is external: the stack doesn't start or stop it. */
export const externalVariables: Record<ServerName, string> = {
  postgres: 'FILMGATE_POSTGRES_URL',
  kafka: 'FILMGATE_KAFKA_BROKERS',
  redis: 'FILMGATE_REDIS_URL',
  s3: 'FILMGATE_S3_ENDPOINT',
}

/** FILMGATE_POSTGRES_APART gives each database a server of its own, so that one of them can be restored alone. */
export const databasesApart = (env: Record<string, string | undefined> = process.env): boolean => Boolean(env.FILMGATE_POSTGRES_APART)

export const ownPostgresPort = ({ ports }: Pick<Instance, 'ports'>, owner: DatabaseOwner): number =>
  ports.firstOwnPostgres + databaseOwners.indexOf(owner)

const localPostgres = (port: number): string => `postgres://${superuser.name}:${superuser.password}@127.0.0.1:${port}/postgres`

export function addressesOf(instance: Instance, env: Record<string, string | undefined> = process.env): Addresses {
  const { ports } = instance
  const own = databasesApart(env) ? databaseOwners : []
  const endpoint = env.FILMGATE_S3_ENDPOINT ?? `http://127.0.0.1:${ports.s3}`
  return {
    postgresUrl: env.FILMGATE_POSTGRES_URL ?? localPostgres(ports.postgres),
    ownPostgresUrls: Object.fromEntries(own.map(owner => [owner, localPostgres(ownPostgresPort(instance, owner))])),
    kafkaBrokers: env.FILMGATE_KAFKA_BROKERS ?? `127.0.0.1:${ports.kafka}`,
    redisUrl: env.FILMGATE_REDIS_URL ?? `redis://127.0.0.1:${ports.redis}`,
    s3: {
      endpoint,
      region: env.FILMGATE_S3_REGION ?? 'us-east-1',
      accessKeyId: env.FILMGATE_S3_ACCESS_KEY_ID ?? s3Credentials.accessKeyId,
      secretAccessKey: env.FILMGATE_S3_SECRET_ACCESS_KEY ?? s3Credentials.secretAccessKey,
    },
    outputBaseUrl: env.FILMGATE_OUTPUT_BASE_URL ?? `${endpoint}/${buckets.outputs}`,
  }
}
