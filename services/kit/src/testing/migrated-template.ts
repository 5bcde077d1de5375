import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type postgres from 'postgres'
import { migrate, migrationsOf } from '../database/migrate'
import { createLog } from '../telemetry/log'

/** Who builds a template waits here for whoever builds another; the number is arbitrary and the same everywhere. */
const advisoryLock = 726_136

const silent = createLog({ service: 'test', level: 'silent' })

/**
 * The name of a database with the migrations of `folder` applied, to create others from: built once for what the migrations say, by one
 * process while others wait. `admin` is one connection to another database of the server at `url`.
 */
export async function migratedTemplate(admin: postgres.Sql, url: string, folder: string): Promise<string> {
  const name = `template_${await hashOf(folder)}`
  if (await isBuilt(admin, name)) return name
  await admin`select pg_advisory_lock(${advisoryLock})`
  try {
    if (!(await isBuilt(admin, name))) {
      await dropStale(admin, folder)
      await build(admin, Object.assign(new URL(url), { pathname: `/${name}` }).href, folder, name)
    }
  } finally {
    await admin`select pg_advisory_unlock(${advisoryLock})`
  }
  return name
}

/** Of the migrations' names and statements, and of what applies them. */
async function hashOf(folder: string): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  hash.update(await Bun.file(join(import.meta.dir, '../database/migrate.ts')).text())
  for (const { name, statements } of await migrationsOf(folder)) hash.update(`\n${name}\n${await statements()}`)
  return hash.digest('hex').slice(0, 32)
}

/** What is built takes no connection, so that nobody changes it and nothing stands in the way of a clone. */
async function isBuilt(admin: postgres.Sql, name: string): Promise<boolean> {
  return (await admin`select 1 from pg_database where datname = ${name} and not datallowconn`).length > 0
}

async function build(admin: postgres.Sql, url: string, folder: string, name: string): Promise<void> {
  // What a process left that died while it built.
  await admin.unsafe(`drop database if exists ${name} with (force)`)
  await admin.unsafe(`create database ${name}`)
  await admin.unsafe(`comment on database ${name} is '${folder.replaceAll("'", "''")}'`)
  await migrate({ url, folder, log: silent })
  await admin.unsafe(`alter database ${name} with allow_connections false`)
}

/** Templates of what this folder's migrations said before, and of folders that are gone. */
async function dropStale(admin: postgres.Sql, folder: string): Promise<void> {
  const templates = await admin<{ name: string; madeOf: string | null }[]>`
    select datname as name, shobj_description(oid, 'pg_database') as "madeOf" from pg_database where starts_with(datname, 'template_')`
  for (const { name, madeOf } of templates) {
    const isStale =
      madeOf === null ||
      madeOf === folder ||
      !(await access(madeOf).then(
        () => true,
        () => false,
      ))
    if (isStale) await admin.unsafe(`drop database if exists ${name} with (force)`)
  }
}
