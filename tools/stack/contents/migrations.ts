import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Addresses } from '../addresses'
import { mustRun } from '../fetch/run'
import { root } from '../instance'
import type { Launch } from '../process/plan'
import { type DatabaseOwner, databaseOwners } from './database-owners'
import { databaseUrl } from './databases'

/** Runs each service's migration command on its database. */
export async function migrateServices(addresses: Addresses, launch: Launch): Promise<void> {
  await Promise.all(databaseOwners.map(owner => migrateService(addresses, owner, launch)))
}

async function migrateService(addresses: Addresses, owner: DatabaseOwner, launch: Launch): Promise<void> {
  const folder = join(root, 'services', owner)
  if (!existsSync(join(folder, 'src/migrate.ts'))) return
  const { command, cwd, env } = launch(owner, {
    command: [process.execPath, 'src/migrate.ts'],
    cwd: folder,
    env: { DATABASE_URL: databaseUrl(addresses, owner) },
  })
  await mustRun(`Migrating the database of ${owner}`, command, { cwd, env, timeoutMs: 120_000 })
}
