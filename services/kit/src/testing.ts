import { randomUUID } from 'node:crypto'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { Kafka, logLevel } from 'kafkajs'
import postgres from 'postgres'
import { createTopics } from './bus/topics/create-topics'
import { applyTopics, type TopicPlan } from './bus/topics/topics'
import { connectPostgres, type Sql } from './database/postgres'
import { pause } from './deadline'
import { createObjectStore, type ObjectStore } from './object-store'
import { createLog, type Log } from './telemetry/log'
import { migratedTemplate } from './testing/migrated-template'

/** Where the real servers of a test run are; without the runner's word, those of a local stack on its usual ports. */
export const servers = Object.freeze({
  postgresUrl: process.env.FILMGATE_TEST_POSTGRES_URL ?? 'postgres://postgres:postgres@127.0.0.1:4120/postgres',
  kafkaBrokers: (process.env.FILMGATE_TEST_KAFKA_BROKERS ?? '127.0.0.1:4121').split(','),
  redisUrl: process.env.FILMGATE_TEST_REDIS_URL ?? 'redis://127.0.0.1:4123',
  s3: {
    endpoint: process.env.FILMGATE_TEST_S3_ENDPOINT ?? 'http://127.0.0.1:4124',
    region: 'us-east-1',
    accessKeyId: process.env.FILMGATE_TEST_S3_ACCESS_KEY_ID ?? 'filmgate',
    secretAccessKey: process.env.FILMGATE_TEST_S3_SECRET_ACCESS_KEY ?? 'filmgate-local-secret',
  },
})

/** Silent but for what breaks; LOG_LEVEL=debug shows all. */
export const testLog: Log = createLog({ service: 'test', level: process.env.LOG_LEVEL ?? 'fatal' })

export type TestDatabase = { url: string; sql: Sql; drop(): Promise<void> }

/** A new migrated database of its own, cloned from a template. */
export async function testDatabase(folder: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = postgres(servers.postgresUrl, { max: 1, onnotice: () => {} })
  await admin.unsafe(`create database ${name} template ${await migratedTemplate(admin, servers.postgresUrl, folder)}`)
  const url = Object.assign(new URL(servers.postgresUrl), { pathname: `/${name}` }).href
  const sql = connectPostgres({ url, poolMax: 8, applicationName: 'test' })
  return {
    url,
    sql,
    async drop() {
      await sql.end({ timeout: 1 })
      await admin.unsafe(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}

export type TestTopic = { name: string; drop(): Promise<void> }

/** A new topic and its dead-letter topic. */
export async function testTopic(partitions = 4, compacted = false): Promise<TestTopic> {
  const name = `test-${randomUUID()}`
  const admin = new Kafka({ brokers: servers.kafkaBrokers, logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  const configEntries = compacted ? [{ name: 'cleanup.policy', value: 'compact' }] : []
  await createTopics(admin, [
    { topic: name, numPartitions: partitions, configEntries },
    { topic: `${name}.dlq`, numPartitions: 1 },
  ])
  return {
    name,
    async drop() {
      await admin.deleteTopics({ topics: [name, `${name}.dlq`] }).catch(() => {})
      await admin.disconnect()
    },
  }
}

/** Topics as planned, under names of the test's own. */
export async function testTopics(plan: TopicPlan[]): Promise<{ drop(): Promise<void> }> {
  await applyTopics({ brokers: servers.kafkaBrokers, replicas: 1, plan })
  return {
    async drop() {
      const admin = new Kafka({ brokers: servers.kafkaBrokers, logLevel: logLevel.NOTHING }).admin()
      await admin.connect()
      await admin.deleteTopics({ topics: plan.map(({ topic }) => topic) }).catch(() => {})
      await admin.disconnect()
    },
  }
}

/** A new empty bucket. Stores keep empty ones cheaply; what a test puts there it removes. */
export async function testBucket(): Promise<{ name: string; store: ObjectStore }> {
  const name = `test-${randomUUID()}`
  const { endpoint, region, ...credentials } = servers.s3
  const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials })
  await client.send(new CreateBucketCommand({ Bucket: name }))
  client.destroy()
  return { name, store: createObjectStore({ ...servers.s3, bucket: name }) }
}

/** Waits until `look` gives something truthy; fails with `words` after `timeoutMs`. */
export async function until<T>(words: string, look: () => T | Promise<T>, timeoutMs = 120_000): Promise<NonNullable<T>> {
  const end = performance.now() + timeoutMs
  for (;;) {
    const seen = await look()
    if (seen) return seen
    if (performance.now() > end) throw new Error(`waited ${timeoutMs} ms in vain: ${words}`)
    await pause(20)
  }
}
