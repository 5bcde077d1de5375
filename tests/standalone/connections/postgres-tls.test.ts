import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectPostgres, isTransient } from '@filmgate/kit/database/postgres'
import { makeCertificate } from '@filmgate/kit/testing/certificate'
import { spawnChild } from '@filmgate/tools/stack/process/child'
import { postgresPlan, superuser } from '@filmgate/tools/stack/servers/postgres'
import { freePort } from '../../support/servers/program'
import { until } from '../../support/until'

const startMsMax = 120_000
const dir = mkdtempSync(join(tmpdir(), 'filmgate-postgres-tls-'))
const port = freePort()
const authority = makeCertificate({ names: ['Filmgate test authority'] })
const file = (name: string, text: string) => {
  writeFileSync(join(dir, name), text)
  return join(dir, name)
}
const ca = file('ca.crt', authority.cert)
const stranger = file('stranger.crt', makeCertificate({ names: ['A stranger'] }).cert)
let server: Bun.Subprocess

beforeAll(async () => {
  chmodSync(dir, 0o755)
  const { cert, key } = makeCertificate({ names: ['localhost'], issuer: authority })
  const keyFile = file('server.key', key)
  // Postgres refuses a key that others may read, and runs as nobody where the tests are root.
  chmodSync(keyFile, 0o600)
  if (process.getuid?.() === 0) chownSync(keyFile, 65_534, 65_534)
  const plan = postgresPlan({ name: 'postgres', data: join(dir, 'postgres'), port })
  await plan.prepare?.()
  const ssl = ['ssl=on', `ssl_cert_file=${file('server.crt', cert)}`, `ssl_key_file=${keyFile}`].flatMap(setting => ['-c', setting])
  server = spawnChild({ ...plan, command: [...plan.command, ...ssl] }, join(dir, 'postgres.log'), () => {})
  await until('Postgres with TLS', plan.ready, startMsMax)
}, startMsMax)

afterAll(async () => {
  server?.kill('SIGKILL')
  await server?.exited
  rmSync(dir, { recursive: true })
})

/** Whether the connection is encrypted, or with which error it is refused. */
async function connect(host: string, query: string): Promise<boolean | { code: string; passes: boolean }> {
  const url = `postgres://${superuser.name}:${superuser.password}@${host}:${port}/postgres${query}`
  const sql = connectPostgres({ url, poolMax: 1, applicationName: 'test', connectTimeoutSeconds: 20 })
  try {
    const [row] = await sql<{ ssl: boolean }[]>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`
    return row?.ssl === true
  } catch (error) {
    return { code: (error as { code: string }).code, passes: isTransient(error) }
  } finally {
    await sql.end({ timeout: 0 })
  }
}

test('verify-full lets in by the right authority and name, and refuses a stranger’s, a wrong name and the public ones', async () => {
  expect(await connect('localhost', `?sslmode=verify-full&sslrootcert=${ca}`)).toBe(true)
  expect(await connect('localhost', `?sslmode=verify-full&sslrootcert=${stranger}`)).toMatchObject({ passes: true })
  expect(await connect('127.0.0.1', `?sslmode=verify-full&sslrootcert=${ca}`)).toMatchObject({ passes: true })
  expect(await connect('localhost', '?sslmode=verify-full')).toMatchObject({ passes: true })
})

test('verify-ca asks for the authority alone, require for neither, and without a mode nothing is encrypted', async () => {
  expect(await connect('127.0.0.1', `?sslmode=verify-ca&sslrootcert=${ca}`)).toBe(true)
  expect(await connect('localhost', `?sslmode=verify-ca&sslrootcert=${stranger}`)).toMatchObject({ passes: true })
  expect(await connect('localhost', `?sslmode=require&sslrootcert=${stranger}`)).toMatchObject({ passes: true })
  expect(await connect('127.0.0.1', '?sslmode=require')).toBe(true)
  expect(await connect('localhost', '')).toBe(false)
})
