import { expect, test } from 'bun:test'
import net from 'node:net'
import { connectPostgres } from '@filmgate/kit/postgres'
import { testLog, until } from '@filmgate/kit/testing'
import { birthJob } from './jobs'
import { createLeaseKeeper } from './lease-keeper'

test('a sender past its lease is ended even where Postgres says nothing at all', async () => {
  const silent = net.createServer(socket => void socket.on('error', () => {}))
  const { promise: listening, resolve } = Promise.withResolvers<void>()
  silent.listen(0, '127.0.0.1', resolve)
  await listening
  const { port } = silent.address() as net.AddressInfo
  const sql = connectPostgres({ url: `postgres://a:b@127.0.0.1:${port}/c`, poolMax: 1, applicationName: 'test' })
  const leases = createLeaseKeeper({ sql, log: testLog, leaseMs: 400 })

  const released = leases.keep(birthJob({ id: 'at_1', accountId: 'acc_1' }), performance.now())
  released.release()
  const startedAt = performance.now()
  const { signal } = leases.keep(birthJob({ id: 'at_2', accountId: 'acc_1' }), startedAt)
  await until('the sender is ended', () => signal.aborted, 2_000)
  expect(performance.now() - startedAt).toBeGreaterThan(390)
  expect([signal.reason, released.signal.aborted]).toEqual([new Error('lease ended'), false])

  silent.close()
  await sql.end({ timeout: 0 })
  await leases.stop()
})
