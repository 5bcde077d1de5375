import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { type Bus, type Consumer, createBus, type Incoming, type Outgoing } from './bus'
import { listDeadLetters } from './bus/dead-letters'
import { metricsText } from './metrics'
import { servers, type TestTopic, testLog, testTopic, until } from './testing'
import { readText as read } from './testing/read-text'

setDefaultTimeout(60_000)

let bus: Bus
const topics: TestTopic[] = []
const consumers: Consumer[] = []

beforeAll(() => {
  bus = createBus({ brokers: servers.kafkaBrokers, clientId: 'test', log: testLog })
})
afterEach(async () => {
  await Promise.all(consumers.splice(0).map(consumer => consumer.stop()))
})
afterAll(async () => {
  await bus.stop()
  await Promise.all(topics.map(topic => topic.drop()))
})

async function newTopic(partitions = 4): Promise<string> {
  const topic = await testTopic(partitions)
  topics.push(topic)
  return topic.name
}

type Handle = (messages: Incoming<string>[]) => Promise<void>

async function consume(topic: string, handle: Handle, { group = topic, of = bus } = {}): Promise<Consumer> {
  const consumer = of.consume({ group, topics: { [topic]: read }, handle })
  consumers.push(consumer)
  await until('joined', () => consumer.joined())
  return consumer
}

const message = (topic: string, key: string, text: string, more: Partial<Outgoing> = {}): Outgoing => ({
  topic,
  key,
  value: new TextEncoder().encode(text),
  eventId: `event-${text}`,
  ...more,
})

/** Waits until a consumer has fetched what is there and not handled `messages` of it. */
const lags = (topic: string, messages: number) =>
  until(`${messages} messages waiting`, async () =>
    new RegExp(`^bus_consumer_unhandled{.*topic="${topic}".*} ${messages}$`, 'm').test(await metricsText()),
  )

const letters = (topic: string) => listDeadLetters({ brokers: servers.kafkaBrokers, topics: [`${topic}.dlq`] })

test('a message arrives whole: key, value, event id and trace', async () => {
  const topic = await newTopic()
  const got: Incoming<string>[] = []
  await consume(topic, async messages => void got.push(...messages))
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00'
  await bus.publish([message(topic, 'k', 'ü', { traceparent })])
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
  await bus.publish([message(topic, 'first', '0')])
  await until('the first call', () => calls.length === 1)
  const keys = Array.from({ length: 30 }, (_, n) => `k${n}`)
  for (let n = 0; n < 10; n++) await bus.publish(keys.map(key => message(topic, key, String(n))))
  gate.resolve()
  await until('all', () => calls.flat().length === 301)
  // All 300 were there: one fetch may leave some for a second call, a call a partition would be six.
  expect(calls.length).toBeLessThanOrEqual(3)
  for (const key of keys)
    expect(calls.flat().filter(one => one.startsWith(`${key}/`))).toEqual(Array.from({ length: 10 }, (_, n) => `${key}/${n}`))
})

test('what nobody waits for comes in a few calls: the first at once, what follows after a rest', async () => {
  const topic = await newTopic(2)
  const calls: string[][] = []
  const handle: Handle = async messages => void calls.push(messages.map(({ event }) => event))
  consumers.push(bus.consume({ group: topic, topics: { [topic]: read }, handle, restMs: 1_000 }))
  await until('joined', () => consumers.at(-1)?.joined())
  await bus.publish([message(topic, 'k', '0')])
  await until('the first', () => calls.length === 1)
  for (let n = 1; n <= 20; n++) await bus.publish([message(topic, `k${n}`, String(n))])
  await until('all', () => calls.flat().length === 21)
  // Twenty, were there no rest; a fetch that was under way may have brought some of them early.
  expect(calls.length).toBeLessThanOrEqual(3)
})

test('patient messages are handled with the next that is not, in order, or alone once their patience ends', async () => {
  const [patient, prompt] = [await newTopic(1), await newTopic(1)]
  const calls: string[][] = []
  const handle: Handle = async messages => void calls.push(messages.map(({ event }) => event))
  const start = (patienceMs: number) => {
    const topics = { [patient]: read, [prompt]: read }
    const consumer = bus.consume({ group: prompt, topics, handle, patienceMs: { [patient]: patienceMs } })
    consumers.push(consumer)
    return until('joined', () => consumer.joined())
  }
  await start(60_000)
  await bus.publish([message(patient, 'k', 'a'), message(patient, 'k', 'b')])
  await lags(patient, 2)
  await bus.publish([message(prompt, 'k', 'c')])
  await until('one call', () => calls.length > 0)
  expect(calls).toEqual([['a', 'b', 'c']])
  await bus.publish([message(patient, 'k', 'd')])
  await consumers.pop()?.stop()
  // Whether the stop came before it or after, it is there once somebody follows.
  await start(10)
  await until('the one left', () => calls.flat().includes('d'))
  await bus.publish([message(patient, 'k', 'e')])
  await until('nothing to go with', () => calls.flat().includes('e'))
  expect(calls.flat().slice(0, 3)).toEqual(['a', 'b', 'c'])
})

test('what fails while its consumer stops is delivered again, though patient messages after it were handled', async () => {
  const topic = await newTopic(1)
  const calls: string[][] = []
  const failure = Promise.withResolvers<void>()
  const handle: Handle = async messages => {
    calls.push(messages.map(({ event }) => event))
    if (calls.length === 1) await failure.promise
  }
  const stopped = bus.consume({ group: topic, topics: { [topic]: read }, handle, patienceMs: { [topic]: 10 } })
  consumers.push(stopped)
  await until('joined', () => stopped.joined())
  await bus.publish([message(topic, 'k', 'a')])
  await until('the first call', () => calls.length === 1)
  await bus.publish([message(topic, 'k', 'b'), message(topic, 'k', 'c')])
  await lags(topic, 2)
  const stop = stopped.stop()
  failure.reject(Object.assign(new Error('deadlock detected'), { code: '40P01' }))
  await stop
  expect(calls).toEqual([['a'], ['b', 'c']])
  const got: string[] = []
  await consume(topic, async messages => void got.push(...messages.map(({ event }) => event)))
  await bus.publish([message(topic, 'k', 'd')])
  await until('the last', () => got.includes('d'))
  expect(got).toEqual(['a', 'b', 'c', 'd'])
})

test('a message that cannot be read is set aside with its cause; those around it are handled', async () => {
  const topic = await newTopic(1)
  const got: string[] = []
  await consume(topic, async messages => void got.push(...messages.map(({ event }) => event)))
  await bus.publish([
    message(topic, 'k', 'a'),
    message(topic, 'k', 'unreadable'),
    message(topic, 'k', 'b'),
    { topic, key: 'k', value: null },
  ])
  await until('the others', () => got.length === 2)
  const found = await until('both letters', async () => {
    const found = await letters(topic)
    return found.length === 2 && found
  })
  expect(found).toMatchObject([
    { key: 'k', eventId: 'event-unreadable', group: topic, source: `${topic}/0/1`, cause: 'Error: these bytes mean nothing' },
    { key: 'k', group: topic, source: `${topic}/0/3`, cause: 'Error: empty message' },
  ])
})

test('one poisoned message among two hundred is found in a few tries, alone and in order', async () => {
  const topic = await newTopic(1)
  const gate = Promise.withResolvers<void>()
  const handled: string[] = []
  let calls = 0
  await consume(topic, async messages => {
    await gate.promise
    calls += 1
    if (messages.some(({ event }) => event === 'poison')) throw new Error('this one can never be handled')
    handled.push(...messages.map(({ event }) => event))
  })
  const texts = Array.from({ length: 200 }, (_, n) => (n === 77 ? 'poison' : String(n)))
  await bus.publish(texts.map(text => message(topic, 'k', text)))
  gate.resolve()
  await until('the others', () => handled.length === 199)
  expect(handled).toEqual(texts.filter(text => text !== 'poison'))
  expect(calls).toBeLessThan(30)
  expect(await letters(topic)).toMatchObject([{ key: 'k', eventId: 'event-poison', cause: 'Error: this one can never be handled' }])
})

test('a passing failure is waited for; nothing is set aside or lost', async () => {
  const topic = await newTopic(1)
  const handled: string[] = []
  let failures = 0
  await consume(topic, async messages => {
    if (failures < 6) {
      failures += 1
      throw Object.assign(new Error('no database'), { code: 'ECONNREFUSED' })
    }
    handled.push(...messages.map(({ event }) => event))
  })
  await bus.publish([message(topic, 'k', 'a'), message(topic, 'k', 'b')])
  await until('handled after all', () => handled.length === 2)
  expect([handled, await letters(topic)]).toEqual([['a', 'b'], []])
})

test('a handler that takes longer than the session keeps its partition and is not called again', async () => {
  const topic = await newTopic(1)
  const calls: string[][] = []
  const slow = await consume(topic, async messages => {
    calls.push(messages.map(({ event }) => event))
    if (calls.length === 1) await Bun.sleep(8_000)
  })
  await bus.publish([message(topic, 'k', 'a')])
  await until('the call', () => calls.length === 1)
  await Bun.sleep(8_500)
  await bus.publish([message(topic, 'k', 'b')])
  await until('the next call', () => calls.length === 2)
  await slow.stop()
  expect(calls).toEqual([['a'], ['b']])
})

test('what was handled before a stop is not delivered again to whoever follows', async () => {
  const topic = await newTopic()
  const first: string[] = []
  const second: string[] = []
  const before = await consume(topic, async messages => void first.push(...messages.map(({ event }) => event)))
  await bus.publish(Array.from({ length: 50 }, (_, n) => message(topic, `k${n}`, String(n))))
  await until('all', () => first.length === 50)
  await before.stop()
  await consume(topic, async messages => void second.push(...messages.map(({ event }) => event)))
  await bus.publish([message(topic, 'k', 'after')])
  await until('the one after', () => second.length > 0)
  expect(second).toEqual(['after'])
})

test('what a killed process had not finished is handled by another within seconds', async () => {
  const topic = await newTopic(1)
  const child = Bun.spawn(['bun', join(import.meta.dir, 'testing/consume-slowly.ts'), topic, topic], { env: Bun.env, stdout: 'pipe' })
  let said = ''
  void (async () => {
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) said += chunk
  })()
  await until('it consumes', async () => {
    await bus.publish([message(topic, 'k', 'a')])
    await Bun.sleep(200)
    return said.includes('got')
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
    await bus.publish(Array.from({ length: 8 }, (_, n) => message(topic, `k${n}`, 'probe')))
    return one.includes('probe') && two.includes('probe')
  })
  const texts = Array.from({ length: 400 }, (_, n) => String(n))
  await bus.publish(texts.map(text => message(topic, text, text)))
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
    bus.publish([message(topic, 'k', 'a')]),
    bus.publish([message(`nowhere-${topic}`, 'k', 'lost')]),
    bus.publish([message(topic, 'k', 'b')]),
    bus.publish([message(topic, 'k', 'x'.repeat(1_200_000))]),
    bus.publish([message(topic, 'k', 'c')]),
  ])
  expect(results.map(result => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'])
  await until('the others', () => new Set(got).size === 3)
  expect(bus.connected()).toBe(true)
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
