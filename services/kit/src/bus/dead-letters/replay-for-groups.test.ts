import { expect, test } from 'bun:test'
import { metricsText } from '../../telemetry/metrics'
import { servers, until } from '../../testing'
import { letters, message, testBus } from '../../testing/test-bus'
import { type ReplayOptions, replayDeadLetters } from './replay'

const lettersSent = 1_000
const groupNames = ['a', 'b', 'c']

const under = testBus()
const { consume, newTopic, publish } = under

const replay = (topic: string, more: Partial<ReplayOptions> = {}) =>
  replayDeadLetters({ brokers: servers.kafkaBrokers, topics: [`${topic}.dlq`], ...more })

/** A group that can't read some messages, and what it handled. */
async function startGroup(topic: string, name: string, isPoison: (text: string) => boolean) {
  const group = `${topic}-${name}`
  const handled: string[] = []
  const read = (bytes: Uint8Array) => {
    const text = new TextDecoder().decode(bytes)
    if (isPoison(text)) throw new Error('this one is poison')
    return text
  }
  const handle = async (messages: { event: string }[]) => void handled.push(...messages.map(({ event }) => event))
  await consume(topic, handle, { group, topics: { [topic]: read } })
  return { group, handled }
}

const cameBackCount = async (topic: string, group: string) =>
  Number(
    new RegExp(`^bus_messages_set_aside_total{group="${group}",topic="${topic}",came_back="true"} (\\d+)$`, 'm').exec(
      await metricsText(),
    )?.[1],
  )

test('a thousand letters of three groups are replayed twice, a third still poison: each is handled once by its group, none multiplies', async () => {
  const topic = await newTopic(4)
  const texts = Array.from({ length: lettersSent }, (_, n) => String(n))
  const groupOf = (text: string) => groupNames[Number(text) % 3]
  const staysPoison = (text: string) => Math.floor(Number(text) / 3) % 3 === 0
  const stillPoison = texts.filter(staysPoison)
  let mended = false
  const groups = await Promise.all(
    groupNames.map(name => startGroup(topic, name, text => groupOf(text) === name && (!mended || staysPoison(text)))),
  )
  await publish(texts.map(text => message(topic, text, text)))
  await until('a letter of each', async () => (await letters(topic)).length === lettersSent, 60_000)
  const before = new Map((await letters(topic)).map(letter => [letter.eventId, letter]))
  expect(before.size).toBe(lettersSent)

  mended = true
  // Interrupted after its first portion, and repeated.
  const interrupt = new AbortController()
  const first = await replay(topic, { signal: interrupt.signal, onProgress: () => interrupt.abort() })
  expect(first.replayed).toBeLessThan(lettersSent)
  expect(first.replayed + (await letters(topic)).filter(({ cameBack }) => cameBack === 0).length).toBe(lettersSent)
  await replay(topic, { limit: lettersSent - first.replayed })
  const cameBack = (times: number) =>
    until(`all come back for the ${times}. time`, async () => {
      const found = await letters(topic)
      return found.length === stillPoison.length && found.every(letter => letter.cameBack === times) ? found : undefined
    })
  await cameBack(1)
  expect(await replay(topic)).toEqual({ replayed: stillPoison.length, copies: 0, refused: [] })
  const last = await cameBack(2)

  for (const { eventId, group, cause, firstAt, at } of last) {
    const original = before.get(eventId)
    expect({ group, cause, firstAt }).toEqual({ group: original?.group ?? '', cause: 'Error: this one is poison', firstAt: original?.at })
    expect(Date.parse(at)).toBeGreaterThan(Date.parse(original?.at ?? ''))
  }
  for (const [n, { group, handled }] of groups.entries()) {
    const own = stillPoison.filter(text => groupOf(text) === groupNames[n])
    expect(handled.toSorted()).toEqual(texts.filter(text => !own.includes(text)).toSorted())
    expect(await cameBackCount(topic, group)).toBe(2 * own.length)
  }
})

test('several letters of an event and a group are sent once, in the order of the first', async () => {
  const topic = await newTopic(1)
  const { handled, group } = await startGroup(topic, 'a', () => false)
  const headers = { 'dlq-group': group }
  await publish(['x', 'y', 'x', 'x', 'z', 'y'].map(text => message(`${topic}.dlq`, 'k', text, { headers })))
  expect(await replay(topic)).toEqual({ replayed: 3, copies: 3, refused: [] })
  await publish([message(topic, 'k', 'last')])
  await until('the last', () => handled.includes('last'))
  expect([handled, await letters(topic)]).toEqual([['x', 'y', 'z', 'last'], []])
})

test('of an event that two groups set aside each gets its own; a letter that names no group reaches both', async () => {
  const topic = await newTopic(1)
  const [a, b] = [await startGroup(topic, 'a', () => false), await startGroup(topic, 'b', () => false)]
  const letter = (text: string, group?: string) =>
    message(`${topic}.dlq`, 'k', text, group === undefined ? {} : { headers: { 'dlq-group': group } })
  await publish([letter('both', a.group), letter('both', b.group), letter('of b', b.group), letter('of nobody')])
  expect(await replay(topic, { group: b.group })).toMatchObject({ replayed: 2 })
  await until('those of b', () => b.handled.length === 2)
  expect(await replay(topic)).toMatchObject({ replayed: 2 })
  await publish([message(topic, 'k', 'last')])
  await until('the last', () => [a, b].every(({ handled }) => handled.includes('last')))
  expect([a.handled, b.handled]).toEqual([
    ['both', 'of nobody', 'last'],
    ['both', 'of b', 'of nobody', 'last'],
  ])
})
