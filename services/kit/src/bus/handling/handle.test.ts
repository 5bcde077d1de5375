import { expect, test } from 'bun:test'
import { DeadlineError } from '../../deadline'
import { until } from '../../testing'
import { heldBy, lags, letters, message, testBus } from '../../testing/test-bus'

const { consumers, newTopic, consume, publish } = testBus()

test('a message that cannot be read is set aside with its cause; those around it are handled', async () => {
  const topic = await newTopic(1)
  const got: string[] = []
  await consume(topic, async messages => void got.push(...messages.map(({ event }) => event)))
  await publish([message(topic, 'k', 'a'), message(topic, 'k', 'unreadable'), message(topic, 'k', 'b'), { topic, key: 'k', value: null }])
  await until('the others', () => got.length === 2)
  const found = await until('both letters', async () => {
    const found = await letters(topic)
    return found.length === 2 && found
  })
  expect(found).toMatchObject([
    { key: 'k', eventId: 'event-unreadable', group: topic, source: `${topic}/0/1`, cause: 'Error: these bytes mean nothing' },
    { key: 'k', group: topic, source: `${topic}/0/3`, cause: 'UnprocessableMessage: empty message' },
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
  await publish(texts.map(text => message(topic, 'k', text)))
  gate.resolve()
  await until('the others', () => handled.length === 199)
  expect(handled).toEqual(texts.filter(text => text !== 'poison'))
  expect(calls).toBeLessThan(30)
  expect(await letters(topic)).toMatchObject([{ key: 'k', eventId: 'event-poison', cause: 'Error: this one can never be handled' }])
})

test('an error code of a backend that refuses or is away is no fault of the messages: they wait, and nothing is set aside or lost', async () => {
  const codes = ['28P01', '28000', '3D000', '42501', '58030', 'ECONNREFUSED']
  const seen = codes.map(async code => {
    const topic = await newTopic(1)
    const handled: string[] = []
    let failures = 0
    await consume(topic, async messages => {
      if (failures++ < 6) throw Object.assign(new Error('refused'), { code })
      handled.push(...messages.map(({ event }) => event))
    })
    await publish([message(topic, 'k', 'a'), message(topic, 'k', 'b')])
    await until('handled after all', () => handled.length === 2)
    return { code, handled, letters: await letters(topic) }
  })
  expect(await Promise.all(seen)).toEqual(codes.map(code => ({ code, handled: ['a', 'b'], letters: [] })))
})

test('a fault that all messages fail with is ours: the consumer stands still, says so, burns little and loses nothing', async () => {
  const topic = await newTopic(4)
  const handled: string[] = []
  let broken = true
  let calls = 0
  await consume(topic, async messages => {
    calls += 1
    if (broken) throw new TypeError('undefined is not a function')
    handled.push(...messages.map(({ event }) => event))
  })
  const texts = Array.from({ length: 400 }, (_, n) => String(n))
  await publish(texts.map(text => message(topic, 'k', text)))
  await until('held', () => heldBy(topic, 'TypeError'))
  // The whole, its halves down to eight single ones, and three tries for each of these.
  expect(calls).toBeLessThan(60)
  expect(await letters(topic)).toEqual([])
  broken = false
  await until('all are handled', () => handled.length === 400)
  expect(handled).toEqual(texts)
  expect([await letters(topic), await heldBy(topic, 'none')]).toEqual([[], true])
})

test('a message that fails with nothing to compare it with waits, and is set aside once one that came later is handled', async () => {
  const topic = await newTopic(1)
  const handled: string[] = []
  await consume(topic, async messages => {
    if (messages.some(({ event }) => event === 'poison')) throw new TypeError('this one can never be handled')
    handled.push(...messages.map(({ event }) => event))
  })
  await publish([message(topic, 'k', 'poison')])
  await until('held', () => heldBy(topic, 'TypeError'))
  expect(await letters(topic)).toEqual([])
  await publish([message(topic, 'other', 'good')])
  await until('the other', () => handled.includes('good'))
  await until('the letter', async () => (await letters(topic)).length === 1)
  expect(await letters(topic)).toMatchObject([{ eventId: 'event-poison', cause: 'TypeError: this one can never be handled' }])
  await consumers.pop()?.stop()
  await consume(topic, async messages => void handled.push(...messages.map(({ event }) => event)))
  await publish([message(topic, 'k', 'after')])
  await until('the one after', () => handled.includes('after'))
  expect(handled).toEqual(['good', 'after'])
})

test('a message alone that our own code stumbles over is set aside after its time; one that a backend fails with is not', async () => {
  const topic = await newTopic(1)
  const error = { poison: new TypeError('stumbled'), 'no table': Object.assign(new Error('no such table'), { code: '42P01' }) }
  const stumble = async ([first]: { event: string }[]) => {
    throw error[first?.event as keyof typeof error]
  }
  await consume(topic, stumble, { loneFaultMsMax: 1_000 })
  await publish([message(topic, 'k', 'poison')])
  await until('the letter', async () => (await letters(topic)).length === 1)
  await publish([message(topic, 'k', 'no table')])
  await until('held', () => heldBy(topic, '42P01'))
  await Bun.sleep(2_500)
  expect(await letters(topic)).toMatchObject([{ eventId: 'event-poison' }])
})

test('what stands still is given up to whoever has the partition next, and handled once', async () => {
  const topic = await newTopic(1)
  const handled: string[] = []
  await consume(topic, async () => {
    throw Object.assign(new Error('password authentication failed'), { code: '28P01' })
  })
  await publish([message(topic, 'k', 'a')])
  await until('held', () => heldBy(topic, '28P01'))
  await publish([message(topic, 'k', 'b')])
  await lags(topic, 1)
  await consumers.pop()?.stop()
  await consume(topic, async messages => void handled.push(...messages.map(({ event }) => event)))
  await until('both', () => handled.length >= 2)
  expect([handled, await letters(topic)]).toEqual([['a', 'b'], []])
})

test.each(['57014', 'DeadlineError'])('what a slow database can’t do in time as a whole (%s) it does in parts, in order', async fault => {
  const topic = await newTopic(1)
  const gate = Promise.withResolvers<void>()
  const handled: string[] = []
  await consume(topic, async messages => {
    await gate.promise
    if (messages.length > 30)
      throw fault === '57014' ? Object.assign(new Error('canceled'), { code: fault }) : new DeadlineError('the database', 10_000)
    handled.push(...messages.map(({ event }) => event))
  })
  const texts = Array.from({ length: 200 }, (_, n) => String(n))
  await publish(texts.map(text => message(topic, 'k', text)))
  gate.resolve()
  await until('all', () => handled.length === 200)
  expect([handled, await letters(topic)]).toEqual([texts, []])
})
