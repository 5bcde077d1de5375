import { join } from 'node:path'
import { CreateBucketCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { RedisClient } from 'bun'
import { type Addresses, buckets, databasesApart, externalVariables, ownPostgresPort, type ServerName } from './addresses'
import { type DatabaseOwner, databaseOwners } from './contents/database-owners'
import { createDatabases } from './contents/databases'
import { fetchJava } from './fetch/java'
import { fetchKafka } from './fetch/kafka'
import { fetchRedis } from './fetch/redis'
import { mustRun } from './fetch/run'
import { fetchS3 } from './fetch/s3'
import { type Instance, root } from './instance'
import type { Plan } from './process/plan'
import { kafkaPlan } from './servers/kafka'
import { type PostgresServer, postgresPlan } from './servers/postgres'
import { redisPlan } from './servers/redis'
import { s3Plan } from './servers/s3'

/** A backing server: its label, its process plan, and its initial content. */
export interface ServerStart {
  name: ServerName
  label: string
  fetch: () => Promise<Plan>
  provision: () => Promise<void>
}

/** The servers that this stack runs. */
export function serverStarts(instance: Instance, addresses: Addresses): ServerStart[] {
  let fetchedJava: Promise<string> | undefined
  const java = () => (fetchedJava ??= fetchJava())
  return [
    ...postgresStarts(instance, addresses),
    {
      name: 'kafka',
      label: 'Kafka 4.3',
      fetch: async () => {
        const [runtime, libs] = await Promise.all([java(), fetchKafka()])
        return kafkaPlan(instance, runtime, libs)
      },
      provision: () => applyTopics(addresses),
    },
    {
      name: 'redis',
      label: 'Redis (valkey 9)',
      fetch: async () => redisPlan(instance, await fetchRedis()),
      provision: () => noteKnownRedis(addresses),
    },
    {
      name: 's3',
      label: 'S3 (s3proxy 4.1)',
      fetch: async () => {
        const [runtime, jar] = await Promise.all([java(), fetchS3()])
        return s3Plan(instance, runtime, jar)
      },
      provision: () => createBuckets(addresses),
    },
  ]
}

function postgresStarts(instance: Instance, { postgresUrl, ownPostgresUrls }: Addresses): ServerStart[] {
  const { dir, ports } = instance
  const startOf = (server: PostgresServer, label: string, url: string, owners: readonly DatabaseOwner[]): ServerStart => ({
    name: 'postgres',
    label,
    fetch: async () => postgresPlan(server),
    provision: () => createDatabases(url, owners),
  })
  if (!databasesApart())
    return [startOf({ name: 'postgres', data: join(dir, 'postgres'), port: ports.postgres }, 'Postgres 18', postgresUrl, databaseOwners)]
  return databaseOwners.map(owner => {
    const name = `postgres-${owner}`
    const server = { name, data: join(dir, 'postgres', owner), port: ownPostgresPort(instance, owner) }
    return startOf(server, `Postgres 18 of ${owner}`, ownPostgresUrls[owner] ?? postgresUrl, [owner])
  })
}

export const isExternal = (name: ServerName): boolean => Boolean(process.env[externalVariables[name]])

/** Creates missing buckets at every start. */
async function createBuckets({ s3 }: Addresses): Promise<void> {
  const { endpoint, region, ...credentials } = s3
  const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials })
  try {
    for (const Bucket of Object.values(buckets)) {
      const exists = await client.send(new HeadBucketCommand({ Bucket })).then(
        () => true,
        () => false,
      )
      if (!exists) await client.send(new CreateBucketCommand({ Bucket }))
    }
  } finally {
    client.destroy()
  }
}

/**
 * Gateways don't trust a new Redis for a minute (services/gateway/src/rate-limit/take-token.lua).
 * The stack's own Redis has no predecessor, so it is marked as known.
 */
async function noteKnownRedis({ redisUrl }: Addresses): Promise<void> {
  const redis = new RedisClient(redisUrl)
  try {
    const [, replid = ''] = /master_replid:(\w+)/.exec(await redis.send('INFO', ['replication'])) ?? []
    if (!(await redis.exists('limits:redis'))) await redis.send('HSET', ['limits:redis', 'replid', replid, 'since', '0'])
  } finally {
    redis.close()
  }
}

/** Few consumers run on one machine, and each partition costs every fetch. */
const partitions = 4

/** Runs the chart's own command, so that stack and cluster have the same topics. */
export async function applyTopics({ kafkaBrokers }: Addresses): Promise<void> {
  const command = [process.execPath, join(root, 'services/kit/bin/topics.ts')]
  await mustRun('Creating the Kafka topics', command, {
    env: { KAFKA_BROKERS: kafkaBrokers, FILMGATE_PARTITIONS: process.env.FILMGATE_PARTITIONS ?? String(partitions) },
    timeoutMs: 60_000,
  })
}
