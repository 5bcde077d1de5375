import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openInstance } from '@filmgate/tools/stack/instance'
import { spawnChild } from '@filmgate/tools/stack/process/child'
import { portOpen } from '@filmgate/tools/stack/process/probe'
import { unprivileged } from '@filmgate/tools/stack/servers/postgres'
import { fetchDebian } from '../fetch-debian'
import { instance as instanceName, settings } from '../settings'
import { until } from '../until'
import { freePort } from './program'

/** With what it is linked to. Trixie's PgBouncer (1.24) knows prepared statements in transaction mode. */
const packages =
  'pgbouncer libc6 libcares2 libevent-2.1-7t64 libssl3t64 libsystemd0 libpam0g libzstd1 zlib1g libcap2 libaudit1 libcap-ng0'.split(' ')

export type PgBouncer = { url(direct: string): string; logFile: string; stop(): Promise<void> }

/** PgBouncer in transaction mode in front of the stack's Postgres, with `poolSize` connections to each database. */
export async function startPgBouncer(logins: { user: string; password: string }[], poolSize: number): Promise<PgBouncer> {
  const { dir: instanceDir } = openInstance(instanceName, settings.portBase)
  const dir = join(instanceDir, `pgbouncer-${crypto.randomUUID().slice(0, 8)}`)
  const logFile = join(instanceDir, 'logs', 'pgbouncer.log')
  mkdirSync(dir)
  const port = freePort()
  const file = (name: string, text: string) => {
    writeFileSync(join(dir, name), text, { mode: 0o644 })
    return join(dir, name)
  }
  const users = file('users.txt', logins.map(({ user, password }) => `"${user}" "${password}"\n`).join(''))
  const ini = file('pgbouncer.ini', iniText(port, users, poolSize))
  const command = unprivileged([...(await fetchDebian('pgbouncer', packages, 'usr/sbin/pgbouncer')), ini])
  const child = spawnChild({ command, cwd: '/', env: {} }, logFile, () => {})
  await until('PgBouncer', async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}, see ${logFile}`)
    return portOpen(port)
  })
  return {
    url: direct => Object.assign(new URL(direct), { port: String(port) }).href,
    logFile,
    async stop() {
      child.kill('SIGKILL')
      await child.exited
      rmSync(dir, { recursive: true })
    },
  }
}

/** What docs/operations.md (A pooler) tells operators to set. */
const iniText = (port: number, users: string, poolSize: number): string => `
[databases]
* = host=127.0.0.1 port=${new URL(settings.postgresUrl).port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
max_prepared_statements = 200
default_pool_size = ${poolSize}
max_client_conn = 1000
`
