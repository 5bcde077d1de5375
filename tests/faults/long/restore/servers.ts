import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addressesOf } from '@filmgate/tools/stack/addresses'
import type { DatabaseOwner } from '@filmgate/tools/stack/contents/database-owners'
import { openInstance } from '@filmgate/tools/stack/instance'
import postgres from 'postgres'
import { instance, settings } from '../../../support/settings'
import { move } from '../../../support/stack'
import { until } from '../../../support/until'

const archivedMsMax = 60_000
const promotedMsMax = 120_000

const serverOf = (owner: DatabaseOwner) => {
  const stack = openInstance(instance, settings.portBase)
  const url = addressesOf(stack).ownPostgresUrls[owner]
  if (!url) throw new Error(`${owner} has no Postgres server of its own: set FILMGATE_POSTGRES_APART`)
  const backups = join(stack.dir, 'backups', owner)
  return {
    url,
    component: `postgres-${owner}` as const,
    data: join(stack.dir, 'postgres', owner),
    wal: join(backups, 'wal'),
    base: join(backups, 'base'),
  }
}

type Work<T> = (sql: postgres.Sql) => Promise<T>

async function connected<T>(url: string, work: Work<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}

/** One connection of the superuser to a database's own server. */
const withServer = <T>(owner: DatabaseOwner, work: Work<T>): Promise<T> => connected(serverOf(owner).url, work)

/** One to the database itself. */
export const withDatabase = <T>(owner: DatabaseOwner, work: Work<T>): Promise<T> =>
  connected(Object.assign(new URL(serverOf(owner).url), { pathname: `/filmgate_${owner.replace('-', '_')}` }).href, work)

/** From now on every finished segment of its WAL is kept beside it. */
export async function startArchive(owner: DatabaseOwner): Promise<void> {
  const { component, wal } = serverOf(owner)
  rmSync(wal, { recursive: true, force: true })
  mkdirSync(wal, { recursive: true })
  await withServer(owner, async sql => {
    await sql.unsafe(`alter system set archive_mode = 'on'`)
    await sql.unsafe(`alter system set archive_command = 'gzip -1 < "%p" > "${wal}/%f.part" && mv "${wal}/%f.part" "${wal}/%f.gz"'`)
    await sql.unsafe(`alter system set restore_command = 'gunzip < "${wal}/%f.gz" > "%p"'`)
  })
  await move(component, 'stop')
  await move(component, 'start')
}

/** A copy of its files while it runs, by Postgres's low-level interface. */
export async function copyBase(owner: DatabaseOwner): Promise<void> {
  const { data, base } = serverOf(owner)
  rmSync(base, { recursive: true, force: true })
  await withServer(owner, async sql => {
    await sql`select pg_backup_start('drill', fast => true)`
    mkdirSync(base, { recursive: true, mode: 0o700 })
    // Files come and go below tar; the archive has the WAL.
    const copied = Bun.spawnSync([
      'sh',
      '-c',
      `tar -C "$0" --exclude=./pg_wal/* --exclude=./postmaster.pid -cf - . | tar -C "$1" -xpf -`,
      data,
      base,
    ])
    if (!existsSync(join(base, 'PG_VERSION'))) throw new Error(`no copy of ${owner}: ${copied.stderr}`)
    const [stopped] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop(wait_for_archive => true)`
    writeFileSync(join(base, 'backup_label'), stopped?.labelfile ?? '')
  })
}

/** The server is lost with its disk; what its archive has by now is all that is left. */
export async function lose(owner: DatabaseOwner): Promise<void> {
  const { component, data } = serverOf(owner)
  await withServer(owner, async sql => {
    // A commit after the moment proves to Postgres that it has been reached.
    await sql`select pg_current_xact_id()`
    const [switched] = await sql<{ segment: string }[]>`select pg_walfile_name(pg_switch_wal()) as segment`
    await until(
      'the last segment to be archived',
      async () => (await sql`select from pg_stat_archiver where last_archived_wal >= ${switched?.segment ?? ''}`).length > 0,
      archivedMsMax,
    )
  })
  await move(component, 'kill')
  rmSync(data, { recursive: true, force: true })
}

/** From the copy and the archive, to a moment. Returns once it can be written to. */
export async function restore(owner: DatabaseOwner, moment: Date): Promise<void> {
  const { component, data, base } = serverOf(owner)
  const { exitCode, stderr } = Bun.spawnSync(['cp', '-a', base, data])
  if (exitCode !== 0) throw new Error(`${owner} was not restored: ${stderr}`)
  const settingsFile = join(data, 'postgresql.auto.conf')
  writeFileSync(
    settingsFile,
    `${readFileSync(settingsFile, 'utf8')}recovery_target_time = '${moment.toISOString().replace('T', ' ').replace('Z', '+00')}'\nrecovery_target_action = 'promote'\n`,
  )
  writeFileSync(join(data, 'recovery.signal'), '')
  await move(component, 'start')
  await until(
    `${owner} to be restored`,
    () => withServer(owner, async sql => (await sql`select where not pg_is_in_recovery()`).length > 0).catch(() => false),
    promotedMsMax,
  )
}
