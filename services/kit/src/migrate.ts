import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from './log'
import { connectPostgres, type Sql } from './postgres'

/** Migrations wait for each other here; the number is arbitrary and the same everywhere. */
const advisoryLock = 726_135
const kitFolder = join(import.meta.dir, '../migrations')

export type MigrateOptions = { url: string; folder: string; log: Pick<Log, 'info'>; lockTimeoutMs?: number }

/**
 * Applies what has not been applied yet: kit's own tables, then the service's numbered SQL files, each in a transaction of its own.
 * Forward only. A statement that can't get its lock within `lockTimeoutMs` fails, so that a migration never queues behind traffic.
 */
export async function migrate({ url, folder, log, lockTimeoutMs = 5_000 }: MigrateOptions): Promise<void> {
  const sql = connectPostgres({ url, poolMax: 1, applicationName: 'migrate', statementTimeoutMs: 600_000, connectTimeoutSeconds: 10 })
  try {
    await sql`select pg_advisory_lock(${advisoryLock})`
    await sql`create table if not exists migration (name text primary key, applied_at timestamptz not null default now())`
    const applied = new Set((await sql<{ name: string }[]>`select name from migration`).map(row => row.name))
    for (const [prefix, path] of [
      ['kit', kitFolder],
      ['own', folder],
    ] as const) {
      for (const file of await migrationFiles(path)) {
        if (!applied.has(`${prefix}/${file}`)) await apply(sql, `${prefix}/${file}`, join(path, file), lockTimeoutMs, log)
      }
    }
  } finally {
    await sql.end({ timeout: 5 })
  }
}

async function migrationFiles(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter(file => file.endsWith('.sql')).sort()
}

async function apply(sql: Sql, name: string, path: string, lockTimeoutMs: number, log: Pick<Log, 'info'>): Promise<void> {
  const statements = await Bun.file(path).text()
  await sql.begin(async sql => {
    await sql`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`
    await sql.unsafe(statements)
    await sql`insert into migration (name) values (${name})`
  })
  log.info({ migration: name }, 'migrated')
}
