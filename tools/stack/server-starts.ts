import { type Addresses, externalVariables, type ServerName } from './addresses'
import { createBuckets } from './contents/buckets'
import { createDatabases } from './contents/databases'
import { noteKnownRedis } from './contents/known-redis'
import { applyTopics } from './contents/topics'
import { fetchJava } from './fetch/java'
import { fetchKafka } from './fetch/kafka'
import { fetchRedis } from './fetch/redis'
import { fetchS3 } from './fetch/s3'
import type { Instance } from './instance'
import type { Plan } from './process/plan'
import { kafkaPlan } from './servers/kafka'
import { postgresPlan } from './servers/postgres'
import { redisPlan } from './servers/redis'
import { s3Plan } from './servers/s3'

/** How one backing server comes to be: what it is called to the user, its fetched plan, and what is put into it once it serves. */
export interface ServerStart {
  name: ServerName
  words: string
  fetch: () => Promise<Plan>
  fill: () => Promise<void>
}

/** The servers this stack runs itself, in the order in which they may be stopped last to first. */
export function serverStarts(instance: Instance, addresses: Addresses): ServerStart[] {
  let fetchedJava: Promise<string> | undefined
  const java = () => (fetchedJava ??= fetchJava())
  return [
    { name: 'postgres', words: 'Postgres 18', fetch: async () => postgresPlan(instance), fill: () => createDatabases(addresses) },
    {
      name: 'kafka',
      words: 'Kafka 4.3',
      fetch: async () => {
        const [runtime, libs] = await Promise.all([java(), fetchKafka()])
        return kafkaPlan(instance, runtime, libs)
      },
      fill: () => applyTopics(addresses),
    },
    {
      name: 'redis',
      words: 'Redis (valkey 9)',
      fetch: async () => redisPlan(instance, await fetchRedis()),
      fill: () => noteKnownRedis(addresses),
    },
    {
      name: 's3',
      words: 'S3 (s3proxy 4.1)',
      fetch: async () => {
        const [runtime, jar] = await Promise.all([java(), fetchS3()])
        return s3Plan(instance, runtime, jar)
      },
      fill: () => createBuckets(addresses),
    },
  ]
}

export const isExternal = (name: ServerName): boolean => Boolean(process.env[externalVariables[name]])
