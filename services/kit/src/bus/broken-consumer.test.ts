import { expect, test } from 'bun:test'
import { createServer } from 'node:net'
import pino from 'pino'
import { until } from '../testing'
import { createBus } from './bus'

test('a broker that ends every connection is told of once by a consumer that tries again and again, and not at every try', async () => {
  let connections = 0
  const broker = createServer(socket => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>(listening => broker.listen(0, '127.0.0.1', listening))
  const address = broker.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: line => void lines.push(line) })
  const bus = createBus({ brokers: [`127.0.0.1:${port}`], clientId: 'test', log })
  bus.consume({ group: 'told-once', topics: { any: bytes => bytes }, handle: async () => {} })
  try {
    // A consumer connects three times a try, the publisher's question once a second.
    await until('some twenty connections', () => connections > 20)
    expect(lines.filter(line => line.includes('consumer failed, restarting'))).toHaveLength(1)
  } finally {
    await bus.stop()
    broker.close()
  }
}, 60_000)
