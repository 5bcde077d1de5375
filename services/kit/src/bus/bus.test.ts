import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { servers, testLog, until } from '../testing'
import { readText as read } from '../testing/read-text'
import { type Handle, lags, message, testBus } from '../testing/test-bus'
import { createBus, type Incoming } from './bus'

const under = testBus()
const { consumers, newTopic, consume, publish } = under

test('a message arrives whole: key, value, event id and trace', async () => {
  const topic = await newTopic()
  const got: Incoming<string>[] = []
  await consume(topic, async messages => void got.push(...messages))
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00'
  await publish([message(topic, 'k', 'ü', { traceparent })])
  await until('the message', () => got.length === 1)
  expect(got[0]).toMatchObject({ topic, key: 'k', event: 'ü', eventId: 'event-ü', traceparent, offset: '0' })
  expect(Math.abs((got[0]?.timestampMs ?? 0) - Date.now())).toBeLessThan(60_000)
})

test('messages of one key stay in order, and what all partitions hold while a call is under way comes in one call', async () => {
  const topic = await newTopic(6)
  const calls: string[][] = []
  const gate = Promise.withResolvers<void>()
  await consume(topic, async messages => {
    calls.push(messages.map(({ key, event }) => `${key}/${event}`))
    await gate.promise
  })
  await publish([message(topic, 'first', '0')])
  await until('the first call', () => calls.length === 1)
  const keys = Array.from({ length: 30 }, (_, n) => `k${n}`)
  for (let n = 0; n < 10; n++) await publish(keys.map(key => message(topic, key, String(n))))
  gate.resolve()
  await until('all', () => calls.flat().length === 301)
  // All 300 were there: one fetch may leave some for a second call, a call a partition would be six.
  expect(calls.length).toBeLessThanOrEqual(3)
  for (const key of keys)
    expect(calls.flat().filter(one => one.startsWith(`${key}/`))).toEqual(Array.from({ length: 10 }, (_, n) => `${key}/${n}`))
})

test('what waits behind a call when the group moves on is handled by whoever has it then, and nobody’s rejection ends the process', async () => {
  const topic = await newTopic(2)
  const gate = Promise.withResolvers<void>()
  const handled: string[] = []
  let calls = 0
  const unhandled: unknown[] = []
  const note = (error: unknown) => void unhandled.push(error)
  process.on('unhandledRejection', note)
  const handle: Handle = async messages => {
    calls += 1
    await gate.promise
    handled.push(...messages.map(({ event }) => event))
  }
  try {
    const texts = Array.from({ length: 21 }, (_, n) => String(n))
    await publish(texts.map(text => message(topic, text, text)))
    await consume(topic, handle)
    await until('the first call', () => calls === 1)
    await consume(topic, handle)
    gate.resolve()
    await until('all', () => new Set(handled).size === 21)
    expect(unhandled).toEqual([])
  } finally {
    process.off('unhandledRejection', note)
  }
})

test('what nobody waits for comes in a few calls: the first at once, what follows after a rest', async () => {
  const topic = await newTopic(2)
  const calls: string[][] = []
  const handle: Handle = async messages => void calls.push(messages.map(({ event }) => event))
  consumers.push(under.bus.consume({ group: topic, topics: { [topic]: read }, handle, pollIntervalMs: 1_000 }))
  await until('joined', () => consumers.at(-1)?.joined())
  await publish([message(topic, 'k', '0')])
  await until('the first', () => calls.length === 1)
  for (let n = 1; n <= 20; n++) await publish([message(topic, `k${n}`, String(n))])
  await until('all', () => calls.flat().length === 21)
  // Twenty, were there no rest; a fetch that was under way may have brought some of them early.
  expect(calls.length).toBeLessThanOrEqual(3)
})

test('messages that linger are handled with the next that does not, in order, or alone once their linger ends', async () => {
  const [lingering, prompt] = [await newTopic(1), await newTopic(1)]
  const calls: string[][] = []
  const handle: Handle = async messages => void calls.push(messages.map(({ event }) => event))
  const start = (lingerMs: number) => {
    const topics = { [lingering]: read, [prompt]: read }
    const consumer = under.bus.consume({ group: prompt, topics, handle, lingerMs: { [lingering]: lingerMs } })
    consumers.push(consumer)
    return until('joined', () => consumer.joined())
  }
  await start(60_000)
  await publish([message(lingering, 'k', 'a'), message(lingering, 'k', 'b')])
  await lags(lingering, 2)
  await publish([message(prompt, 'k', 'c')])
  await until('one call', () => calls.length > 0)
  expect(calls).toEqual([['a', 'b', 'c']])
  await publish([message(lingering, 'k', 'd')])
  await consumers.pop()?.stop()
  // Whether the stop came before it or after, it is there once somebody follows.
  await start(10)
  await until('the one left', () => calls.flat().includes('d'))
  await publish([message(lingering, 'k', 'e')])
  await until('nothing to go with', () => calls.flat().includes('e'))
  expect(calls.flat().slice(0, 3)).toEqual(['a', 'b', 'c'])
})

test('what fails while its consumer stops is delivered again, though lingering messages after it were handled', async () => {
  const topic = await newTopic(1)
  const calls: string[][] = []
  const failure = Promise.withResolvers<void>()
  const handle: Handle = async messages => {
    calls.push(messages.map(({ event }) => event))
    if (calls.length === 1) await failure.promise
  }
  const stopped = under.bus.consume({ group: topic, topics: { [topic]: read }, handle, lingerMs: { [topic]: 10 } })
  consumers.push(stopped)
  await until('joined', () => stopped.joined())
  await publish([message(topic, 'k', 'a')])
  await until('the first call', () => calls.length === 1)
  await publish([message(topic, 'k', 'b'), message(topic, 'k', 'c')])
  await lags(topic, 2)
  const stop = stopped.stop()
  failure.reject(Object.assign(new Error('deadlock detected'), { code: '40P01' }))
  await stop
  expect(calls).toEqual([['a'], ['b', 'c']])
  const got: string[] = []
  await consume(topic, async messages => void got.push(...messages.map(({ event }) => event)))
  await publish([message(topic, 'k', 'd')])
  await until('the last', () => got.includes('d'))
  expect(got).toEqual(['a', 'b', 'c', 'd'])
})

test('a handler that takes longer than the session keeps its partition and is not called again', async () => {
  const topic = await newTopic(1)
  const calls: string[][] = []
  const slow = await consume(topic, async messages => {
    calls.push(messages.map(({ event }) => event))
    if (calls.length === 1) await Bun.sleep(8_000)
  })
  await publish([message(topic, 'k', 'a')])
  await until('the call', () => calls.length === 1)
  await Bun.sleep(8_500)
  await publish([message(topic, 'k', 'b')])
  await until('the next call', () => calls.length === 2)
  await slow.stop()
  expect(calls).toEqual([['a'], ['b']])
})

test('what was handled before a stop is not delivered again to whoever follows', async () => {
  const topic = await newTopic()
  const first: string[] = []
  const second: string[] = []
  const before = await consume(topic, async messages => void first.push(...messages.map(({ event }) => event)))
  await publish(Array.from({ length: 50 }, (_, n) => message(topic, `k${n}`, String(n))))
  await until('all', () => first.length === 50)
  await before.stop()
  await consume(topic, async messages => void second.push(...messages.map(({ event }) => event)))
  await publish([message(topic, 'k', 'after')])
  await until('the one after', () => second.length > 0)
  expect(second).toEqual(['after'])
})

test('what a killed process had not finished is handled by another within seconds', async () => {
  const topic = await newTopic(1)
  const child = Bun.spawn(['bun', join(import.meta.dir, '../testing/consume-slowly.ts'), topic, topic], { env: Bun.env, stdout: 'pipe' })
  let output = ''
  void (async () => {
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) output += chunk
  })()
  await until('it consumes', async () => {
    await publish([message(topic, 'k', 'a')])
    await Bun.sleep(200)
    return output.includes('got')
  })
  child.kill('SIGKILL')
  const got: string[] = []
  const startedAt = performance.now()
  await consume(topic, async messages => void got.push(...messages.map(({ event }) => event)))
  await until('the message', () => got.includes('a'))
  // The broker's least session timeout is six seconds.
  expect(performance.now() - startedAt).toBeLessThan(12_000)
})

test('two members share the partitions, and each message is handled by one of them', async () => {
  const topic = await newTopic(4)
  const other = createBus({ brokers: servers.kafkaBrokers, clientId: 'other', log: testLog })
  const [one, two]: [string[], string[]] = [[], []]
  await consume(topic, async messages => void one.push(...messages.map(({ event }) => event)))
  await consume(topic, async messages => void two.push(...messages.map(({ event }) => event)), { of: other })
  await until('both have a share', async () => {
    await publish(Array.from({ length: 8 }, (_, n) => message(topic, `k${n}`, 'probe')))
    return one.includes('probe') && two.includes('probe')
  })
  const texts = Array.from({ length: 400 }, (_, n) => String(n))
  await publish(texts.map(text => message(topic, text, text)))
  const numbers = () => [...one, ...two].filter(text => text !== 'probe')
  await until('all', () => numbers().length >= 400)
  expect(numbers().sort()).toEqual(texts.sort())
  await other.stop()
})

test('a message for a topic that is not there fails alone; those published beside it arrive', async () => {
  const topic = await newTopic()
  const got: string[] = []
  await consume(topic, async messages => void got.push(...messages.map(({ event }) => event)))
  const results = await Promise.allSettled([
    publish([message(topic, 'k', 'a')]),
    publish([message(`nowhere-${topic}`, 'k', 'lost')]),
    publish([message(topic, 'k', 'b')]),
    publish([message(topic, 'k', 'x'.repeat(1_200_000))]),
    publish([message(topic, 'k', 'c')]),
  ])
  expect(results.map(result => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'])
  await until('the others', () => new Set(got).size === 3)
  expect(under.bus.connected()).toBe(true)
})

test('a broker that is not there: publishing fails in time, consuming waits, and the bus says that it is not connected', async () => {
  const nowhere = createBus({ brokers: ['127.0.0.1:1'], clientId: 'test', log: testLog })
  const consumer = nowhere.consume({ group: 'g', topics: { t: read }, handle: async () => {} })
  const startedAt = performance.now()
  await expect(nowhere.publish([message('t', 'k', 'a')])).rejects.toThrow()
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  expect([nowhere.connected(), consumer.joined()]).toEqual([false, false])
  await nowhere.stop()
})
