import { join } from 'node:path'
import postgres from 'postgres'
import { settings } from '../../support/settings'
import { createTopics, deleteTopics } from './bench-kafka'

export type BarePipeline = { url: string; stop(): Promise<void> }

const parts = ['dispatcher', 'ledger', 'gateway'] as const
const partitions = 4

/**
 * The line with nothing but its line: gateway, ledger and dispatcher that write a task, a reservation with two entries, an attempt and
 * three outboxes, and call a provider, over the same broker and database server with the same libraries. No key, limit, schema, trace,
 * metric, idempotency or view. What Filmgate does beside it tells what those cost, on whatever machine.
 */
export async function startBarePipeline(): Promise<BarePipeline> {
  const name = `bare_${crypto.randomUUID().replaceAll('-', '')}`
  const databaseUrl = settings.postgresUrl.replace(/\/[^/]*$/, `/${name}`)
  const admin = postgres(settings.postgresUrl, { max: 1 })
  await admin.unsafe(`create database ${name}`)
  const sql = postgres(databaseUrl, { max: 1 })
  await sql.unsafe(`
    create table task (id uuid primary key, body text not null, status text not null);
    create table account (available bigint not null check (available >= 0));
    create table reservation (id uuid primary key, credits bigint not null);
    create table entry (id uuid not null, book text not null, credits bigint not null, primary key (id, book));
    create table attempt (id uuid primary key, state text not null);
    create table outbox (id uuid, topic text, value text not null, primary key (id, topic));
    insert into account values (1000000000000);`)
  await sql.end()
  const topics = ['requests', 'credits', 'generations'].map(topic => `${name}.${topic}`)
  await createTopics(topics, partitions)
  let stopping = false
  const children = parts.map(part =>
    Bun.spawn([process.execPath, join(import.meta.dir, 'bare-pipeline', `${part}.ts`)], {
      env: { ...process.env, BARE_PREFIX: name, BARE_DATABASE_URL: databaseUrl, BARE_BROKERS: settings.kafkaBrokers.join(',') },
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'inherit',
      onExit(_, code) {
        if (stopping) return
        console.error(`The bare pipeline’s ${part} ended with ${code}.`)
        process.exit(1)
      },
    }),
  )
  const firstLines = await Promise.all(children.map(async child => lineOf((await child.stdout.getReader().read()).value)))
  return {
    url: firstLines[parts.indexOf('gateway')] ?? '',
    async stop() {
      stopping = true
      for (const child of children) child.kill()
      await Promise.all(children.map(child => child.exited))
      await deleteTopics(topics)
      await admin.unsafe(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}

const lineOf = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes).trim()
