import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { servers, type TestTopic, testLog, testTopic, until } from '../testing'
import { type Bus, createBus } from './bus'

/** A proxy before the broker that can swallow what passes, as a broken network does: connections stay, nothing comes back. */
let proxy: Server
let swallowing = false
let topic: TestTopic
let bus: Bus
const got: string[] = []

beforeAll(async () => {
  topic = await testTopic(2)
  const [host = '', port = ''] = servers.kafkaBrokers[0]?.split(':') ?? []
  proxy = createServer(client => {
    const broker = connect(Number(port), host)
    pass(client, broker)
    pass(broker, client)
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  const through = typeof address === 'object' && address ? address.port : 0
  // Whatever address the broker names, the way leads through the proxy.
  const socketFactory = ({ onConnect }: { onConnect: () => void }) => connect(through, '127.0.0.1', onConnect)
  bus = createBus({ brokers: servers.kafkaBrokers, clientId: 'test', log: testLog, socketFactory })
  bus.consume({
    group: topic.name,
    topics: { [topic.name]: bytes => new TextDecoder().decode(bytes) },
    handle: async messages => void got.push(...messages.map(({ event }) => event)),
  })
})
afterAll(async () => {
  swallowing = false
  await bus.stop()
  proxy.close()
  await topic.drop()
})

function pass(from: Socket, to: Socket) {
  from.on('data', chunk => void (swallowing || to.write(chunk)))
  from.on('close', () => to.destroy())
  from.on('error', () => to.destroy())
}

const publish = (text: string) => bus.publish([{ topic: topic.name, key: 'k', value: new TextEncoder().encode(text) }])

test('a broker that swallows everything: publishing fails in time, the bus says so, and all goes on by itself when it answers again', async () => {
  await publish('before')
  await until('consumed', () => got.includes('before'))
  expect(bus.connected()).toBe(true)
  swallowing = true
  const startedAt = performance.now()
  await expect(publish('into the void')).rejects.toThrow()
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  await until('the bus says that it is not connected', () => !bus.connected())
  swallowing = false
  await until(
    'publishing works again',
    () =>
      publish('after').then(
        () => true,
        () => false,
      ),
    40_000,
  )
  await until('consuming works again', () => got.includes('after'), 60_000)
  expect(bus.connected()).toBe(true)
})
