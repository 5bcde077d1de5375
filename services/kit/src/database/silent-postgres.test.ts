import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { withDeadline } from '../deadline'
import { servers } from '../testing'
import { connectPostgres, isTransient, onOwnConnection, type Sql } from './postgres'

const statementTimeoutMs = 300
/** The statement's time and the grace, a look of a fifth more, and what a busy machine adds. */
const boundMs = (statementTimeoutMs + 5_000) * 1.2 + 2_000
const longerThanBoundSeconds = 7

/** Lets bytes through but for the connections that were there at a moment of its choice: these take all and answer nothing. */
let proxy: Server
let through: { one: Socket; other: Socket }[] = []

beforeAll(async () => {
  const { hostname, port } = new URL(servers.postgresUrl)
  proxy = createServer(one => {
    const other = connect(Number(port), hostname)
    for (const socket of [one, other]) socket.on('error', () => {})
    one.pipe(other).pipe(one)
    one.on('close', () => other.destroy())
    through.push({ one, other })
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
})
afterAll(() => proxy.close())

function fallSilent(): void {
  for (const { one, other } of through) {
    one.unpipe(other).resume()
    other.unpipe(one).resume()
  }
  through = []
}

function pool(poolMax: number): Sql {
  const address = proxy.address()
  if (!address || typeof address === 'string') throw new Error('the proxy has no port')
  return poolAt(address.port, poolMax)
}

function poolAt(port: number, poolMax: number): Sql {
  const url = Object.assign(new URL(servers.postgresUrl), { host: `127.0.0.1:${port}` }).href
  return connectPostgres({ url, poolMax, applicationName: 'test', statementTimeoutMs })
}

const pidOf = async (sql: Sql): Promise<number> => (await sql`select pg_backend_pid() as pid`)[0]?.pid

test('what waits for a server that fell silent fails in time, as what passes does, and what comes next has new connections', async () => {
  const sql = pool(2)
  const begun = () => sql.begin(async sql => (await sql`select pg_sleep(0.1), pg_backend_pid() as pid`)[0]?.pid)
  const before = await Promise.all([begun(), begun()])
  expect(new Set(before).size).toBe(2)
  fallSilent()
  const startedAt = performance.now()
  // One statement a connection and some that wait behind it, and a transaction that holds a connection.
  const failed = await Promise.all(
    [begun(), sql`select 1`, sql`select 2`, sql`select 3`].map(work => work.then(() => 'answered', isTransient)),
  )
  expect(failed).toEqual([true, true, true, true])
  const tookMs = performance.now() - startedAt
  expect(tookMs).toBeGreaterThan(statementTimeoutMs + 5_000)
  expect(tookMs).toBeLessThan(boundMs)
  const after = await Promise.all([begun(), begun()])
  expect(after.filter(pid => before.includes(pid))).toEqual([])
  await sql.end({ timeout: 1 })
})

test('a connection that waits for nothing outlives that time, and so does a statement that was given more', async () => {
  const sql = pool(1)
  const pid = await pidOf(sql)
  const slept = await onOwnConnection(sql, 20_000, own => own`select pg_sleep(${longerThanBoundSeconds}), pg_backend_pid() as pid`)
  expect(slept).toHaveLength(1)
  expect(slept[0]?.pid).not.toBe(pid)
  expect(await pidOf(sql)).toBe(pid)
  await sql.end({ timeout: 1 })
})

test('a server that comes back after many tries is met within a second or so', async () => {
  const address = proxy.address()
  if (!address || typeof address === 'string') throw new Error('the proxy has no port')
  await new Promise(resolve => proxy.close(resolve))
  const sql = poolAt(address.port, 1)
  const failed: unknown[] = []
  for (let tries = 0; tries < 6; tries++) failed.push(await sql`select 1`.then(() => 'answered', isTransient))
  expect(new Set(failed)).toEqual(new Set([true]))
  await new Promise<void>(resolve => proxy.listen(address.port, '127.0.0.1', resolve))
  expect(await withDeadline(pidOf(sql), 3_000, 'the database')).toBeNumber()
  await sql.end({ timeout: 1 })
})
