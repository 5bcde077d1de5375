import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import outboxTable from '../../migrations/0001_outbox.sql' with { type: 'text' }
import jobTable from '../../migrations/0002_job.sql' with { type: 'text' }
import publishedTable from '../../migrations/0003_outbox_published.sql' with { type: 'text' }
import refusalColumns from '../../migrations/0004_outbox_refusal.sql' with { type: 'text' }
import publishedUnused from '../../migrations/0005_outbox_published_unused.sql' with { type: 'text' }
import { backoffMs, pause } from '../deadline'
import type { Log } from '../telemetry/log'
import { connectPostgres, type Sql } from './postgres'
import { keepSettings, missingSettings } from './role-settings'

/** Migrations wait for each other here; the number is arbitrary and the same everywhere. */
const advisoryLock = 726_135
const turnWithinMs = 600_000
const turnEveryMs = 200
/** Imported, not read from a folder: so they travel inside a bundle, beside whose file only the service's own folder lies. */
const kitMigrations: Migration[] = [
  { name: 'kit/0001_outbox.sql', statements: async () => outboxTable },
  { name: 'kit/0002_job.sql', statements: async () => jobTable },
  { name: 'kit/0003_outbox_published.sql', statements: async () => publishedTable },
  { name: 'kit/0004_outbox_refusal.sql', statements: async () => refusalColumns },
  { name: 'kit/0005_outbox_published_unused.sql', statements: async () => publishedUnused },
]

/** The first line of a migration that runs outside a transaction. */
const outsideMark = '-- filmgate: no transaction'

export type Migration = { name: string; statements: () => Promise<string> }

export type MigrateOptions = { url: string; directUrl?: string | undefined; folder: string; log: Pick<Log, 'info'>; lockTimeoutMs?: number }

export type WaitOptions = { sql: Sql; folder: string; log: Pick<Log, 'warn'>; signal: AbortSignal }

/**
 * Applies what has not been applied yet: kit's own tables, then the service's numbered SQL files, each in a transaction of its own,
 * or outside of one where its first line is `-- filmgate: no transaction`.
 * With `directUrl` they go there, and the settings of connections are kept with the role that `url` names.
 * Forward only. A statement that can't get its lock within `lockTimeoutMs` fails, so that a migration never queues behind traffic.
 */
export async function migrate({ url, directUrl, folder, log, lockTimeoutMs = 5_000 }: MigrateOptions): Promise<void> {
  const bounds = { statementTimeoutMs: 600_000, connectTimeoutSeconds: 10 }
  const sql = connectPostgres({ url: directUrl ?? url, poolMax: 1, applicationName: 'migrate', ...bounds })
  try {
    await takeTurn(sql)
    if (directUrl !== undefined) await keepSettings(sql, decodeURIComponent(new URL(url).username))
    await sql`create table if not exists migration (name text primary key, applied_at timestamptz not null default now())`
    const applied = new Set((await sql<{ name: string }[]>`select name from migration`).map(row => row.name))
    for (const migration of await migrationsOf(folder)) {
      if (!applied.has(migration.name)) await apply(sql, migration, lockTimeoutMs, log)
    }
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** Asked for again and again: whoever waits inside a statement holds a snapshot, and a concurrent index build of the one before waits for that. */
async function takeTurn(sql: Sql): Promise<void> {
  for (const end = performance.now() + turnWithinMs; performance.now() < end; await pause(turnEveryMs)) {
    const [row] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${advisoryLock}) as taken`
    if (row?.taken) return
  }
  throw new Error(`another migration has been under way for ${turnWithinMs} ms`)
}

/**
 * Resolves true once the database answers, everything this build brings has been applied and connections have our settings, false when
 * `signal` came first: work begun earlier would take a missing table for a fault in the data.
 */
export async function waitForMigrations({ sql, folder, log, signal }: WaitOptions): Promise<boolean> {
  const wanted = (await migrationsOf(folder)).map(({ name }) => name)
  for (let tries = 1; !signal.aborted; tries++) {
    try {
      const rows = await sql<{ name: string }[]>`select name from migration where name = any(${wanted}::text[])`
      const missing = await missingSettings(sql)
      if (rows.length === wanted.length && missing.length === 0) return true
      if (missing.length > 0) log.warn({ missing }, 'the connection lacks settings of ours: docs/operations.md, A pooler')
      else log.warn({ applied: rows.length, wanted: wanted.length }, 'waiting for migrations')
    } catch (error) {
      log.warn({ err: error, tries }, 'waiting for the database')
    }
    await pause(backoffMs(tries, 100, 1_000), signal)
  }
  return false
}

/** All that are applied, in their order. */
export async function migrationsOf(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter(file => file.endsWith('.sql')).sort()
  return [...kitMigrations, ...files.map(file => ({ name: `own/${file}`, statements: () => Bun.file(join(folder, file)).text() }))]
}

async function apply(sql: Sql, migration: Migration, lockTimeoutMs: number, log: Pick<Log, 'info'>): Promise<void> {
  const { name } = migration
  const text = await migration.statements()
  if (text.startsWith(outsideMark)) await applyOutside(sql, name, text, lockTimeoutMs)
  else
    await sql.begin(async sql => {
      await sql`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`
      await sql.unsafe(text)
      await sql`insert into migration (name) values (${name})`
    })
  log.info({ migration: name }, 'migrated')
}

/**
 * Statement by statement, as `create index concurrently` wants it. One that fails leaves what came before it, so each must be repeatable
 * (`if not exists`); an index that was left half-built is dropped before.
 */
async function applyOutside(sql: Sql, name: string, text: string, lockTimeoutMs: number): Promise<void> {
  await sql`select set_config('lock_timeout', ${String(lockTimeoutMs)}, false)`
  try {
    await dropInvalidIndexes(sql)
    // A concurrent build waits for every older transaction and nobody waits for it: there the statement's own deadline is the bound.
    await sql`select set_config('lock_timeout', '0', false)`
    for (const statement of statementsOf(text)) await sql.unsafe(statement)
    await sql`insert into migration (name) values (${name})`
  } finally {
    await sql`select set_config('lock_timeout', '0', false)`
  }
}

/** A line that ends with a semicolon ends a statement: enough for indexes, which is what these migrations are for. */
const statementsOf = (text: string): string[] =>
  text
    .replace(/^\s*--.*$/gm, '')
    .split(/;\s*$/m)
    .map(statement => statement.trim())
    .filter(Boolean)

/** A concurrent build that failed leaves an index that is kept up to date and never used, and `if not exists` takes it for done. */
async function dropInvalidIndexes(sql: Sql): Promise<void> {
  const invalid = await sql<{ name: string }[]>`
    select index.oid::regclass::text as name from pg_index
    join pg_class index on index.oid = indexrelid
    where not indisvalid and index.relkind = 'i' and index.relnamespace = current_schema()::regnamespace`
  for (const { name } of invalid) await sql.unsafe(`drop index concurrently if exists ${name}`)
}
