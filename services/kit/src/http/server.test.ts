import { expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import { testLog } from '../testing'
import { createReadiness, health, startServer } from './server'
import { startPublicServer } from './start-public-server'

test('ready once everything waited for has been seen, and still when it is gone again', async () => {
  const seen = { database: false, broker: true }
  const readiness = createReadiness({ database: () => seen.database, broker: () => seen.broker })
  const app = new Elysia().use(health(readiness))
  const ask = async () => {
    const response = await app.handle(new Request('http://localhost/readyz'))
    return [response.status, await response.json()]
  }
  expect(await ask()).toEqual([503, { status: 'starting', missing: ['database'] }])
  expect((await app.handle(new Request('http://localhost/healthz'))).status).toBe(200)
  seen.database = true
  expect(await ask()).toEqual([200, { status: 'ready' }])
  Object.assign(seen, { database: false, broker: false })
  expect(await ask()).toEqual([200, { status: 'ready' }])
  readiness.drain()
  expect(await ask()).toEqual([503, { status: 'draining', missing: [] }])
})

test('a draining server is unready at once, serves on with Connection: close, and ends when what is open has been answered', async () => {
  const readiness = createReadiness({})
  const gate = Promise.withResolvers<void>()
  const app = new Elysia().use(health(readiness)).get('/slow', async () => {
    await gate.promise
    return 'answered'
  })
  const server = startServer({ app, port: 0, log: testLog, readiness })
  const at = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`)
  expect((await at('/readyz')).headers.get('connection')).not.toBe('close')
  const slow = at('/slow')
  await at('/healthz')
  let drained = false
  const draining = server.drain(200).then(() => {
    drained = true
  })
  const while_ = await at('/readyz')
  expect([while_.status, while_.headers.get('connection')]).toEqual([503, 'close'])
  expect((await at('/healthz')).headers.get('connection')).toBe('close')
  await Bun.sleep(400)
  expect(drained).toBe(false)
  gate.resolve()
  expect(await (await slow).text()).toBe('answered')
  await draining
  await expect(at('/healthz')).rejects.toThrow()
})

test('a server listens on the address that it is given, or on all, and only the one for metrics has metrics', async () => {
  const status = (address: string, port: number, path: string) =>
    fetch(`http://${address}:${port}${path}`).then(
      answer => answer.status,
      () => 'refused',
    )
  for (const [host, elsewhere] of [
    ['127.0.0.1', 'refused'],
    [undefined, 200],
  ] as const) {
    const readiness = createReadiness({})
    const served = () => ({ app: new Elysia().use(health(readiness)), log: testLog, readiness })
    const own = startServer({ ...served(), host, port: 0 })
    const shared = await startPublicServer({ ...served(), config: { host, port: 0, metricsPort: 0, trustedProxies: 0 } })
    for (const { port } of [own, shared]) {
      expect([host, await status('127.0.0.2', port, '/healthz')]).toEqual([host, elsewhere])
      expect([await status('127.0.0.1', port, '/healthz'), await status('127.0.0.1', port, '/metrics')]).toEqual([200, 404])
    }
    expect([host, await status('127.0.0.2', shared.metricsPort, '/metrics')]).toEqual([host, elsewhere])
    expect(await status('127.0.0.1', shared.metricsPort, '/healthz')).toBe(404)
    await Promise.all([own.drain(0), shared.drain(0)])
    expect(await status('127.0.0.1', shared.metricsPort, '/metrics')).toBe('refused')
  }
})

test('a port that is taken is said at once', () => {
  const readiness = createReadiness({})
  const first = Bun.serve({ port: 0, fetch: () => new Response() })
  expect(() => startServer({ app: new Elysia(), port: first.port ?? 0, log: testLog, readiness })).toThrow()
  first.stop(true)
})
