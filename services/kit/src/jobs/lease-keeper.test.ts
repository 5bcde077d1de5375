import { afterAll, beforeAll, expect, test } from 'bun:test'
import net from 'node:net'
import { join } from 'node:path'
import { connectPostgres } from '../database/postgres'
import { type TestDatabase, testDatabase, testLog, until } from '../testing'
import { claimJobs, deleteHeldJobs, insertJobs, type Job } from './job-repository'
import { createLeaseKeeper } from './lease-keeper'

const leaseMs = 1_500
const kind = 'kept'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../testing/no-migrations'))
})
afterAll(() => database.drop())

const job = (id: string): Job => ({ kind, id, fairnessKey: '', payload: {}, epoch: 1, tries: 1 })

/** A job of its own, leased to this process. */
async function claimed(id: string): Promise<Job> {
  await insertJobs(database.sql, [{ kind, id }])
  const [own] = await claimJobs(database.sql, kind, 'me', leaseMs, 1)
  if (!own) throw new Error('the job was not due')
  return own
}

test('a holder past its lease is ended even where Postgres says nothing at all', async () => {
  const silent = net.createServer(socket => void socket.on('error', () => {}))
  const { promise: listening, resolve } = Promise.withResolvers<void>()
  silent.listen(0, '127.0.0.1', resolve)
  await listening
  const { port } = silent.address() as net.AddressInfo
  const sql = connectPostgres({ url: `postgres://a:b@127.0.0.1:${port}/c`, poolMax: 1, applicationName: 'test' })
  const leases = createLeaseKeeper({ sql, log: testLog, kind, leaseMs, renewEveryMs: 100 })

  const released = leases.keep(job('1'), performance.now())
  released.release()
  const startedAt = performance.now()
  const { signal } = leases.keep(job('2'), startedAt)
  await until('the holder is ended', () => signal.aborted)
  expect(performance.now() - startedAt).toBeGreaterThan(leaseMs - 10)
  expect([signal.reason, released.signal.aborted]).toEqual([new Error('lease ended'), false])

  silent.close()
  await sql.end({ timeout: 0 })
  await leases.stop()
})

test.each([false, true])('a lease lasts as long as it is kept, and ends when another has the job (goneIsLost: %s)', async goneIsLost => {
  const heldSinceMs = performance.now()
  const own = await claimed(`taken ${goneIsLost}`)
  const leases = createLeaseKeeper({ sql: database.sql, log: testLog, kind, leaseMs, renewEveryMs: 50, goneIsLost })
  const { signal } = leases.keep(own, heldSinceMs)
  await Bun.sleep(3 * leaseMs)
  expect(signal.aborted).toBe(false)
  await database.sql`update job set epoch = epoch + 1 where id = ${own.id}`
  await until('the holder is ended', () => signal.aborted)
  expect([signal.reason, own.released ?? false]).toEqual([new Error('lease lost'), false])
  await leases.stop()
})

test.each([
  [false, [undefined, true]],
  [true, [new Error('lease lost'), false]],
])('a job that is gone lets its holder return, or ends a request for it (goneIsLost: %s)', async (goneIsLost, expected) => {
  const heldSinceMs = performance.now()
  const own = await claimed(`gone ${goneIsLost}`)
  const leases = createLeaseKeeper({ sql: database.sql, log: testLog, kind, leaseMs, renewEveryMs: 50, goneIsLost })
  const { signal } = leases.keep(own, heldSinceMs)
  // Ended by whoever has read the same row: this process's own object does not know of it.
  await deleteHeldJobs(database.sql, [{ ...own }])
  await Bun.sleep(2 * leaseMs)
  expect([signal.reason, own.released ?? false]).toEqual(expected)
  await leases.stop()
})
