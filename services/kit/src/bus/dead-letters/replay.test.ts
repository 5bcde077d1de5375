import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { servers, until } from '../../testing'
import { letters, message, testBus } from '../../testing/test-bus'
import type { Incoming } from '../message'
import { discardDeadLetters } from './discard'
import { replayDeadLetters } from './replay'

const under = testBus()
const { consume, newTopic, publish } = under

const replay = (topic: string, more: { limit?: number; eventId?: string; signal?: AbortSignal } = {}) =>
  replayDeadLetters({ brokers: servers.kafkaBrokers, topics: [`${topic}.dlq`], ...more })

/** Letters as a consumer leaves them, one for each text. */
const setAside = (topic: string, texts: string[], group = topic) =>
  publish(
    texts.map(text =>
      message(`${topic}.dlq`, 'a1', text, {
        eventId: `event-${text.split(':')[0]}`,
        headers: { 'dlq-group': group, 'dlq-cause': 'a cause' },
      }),
    ),
  )

/** What comes back to a topic, in its order. */
async function comeBack(topic: string): Promise<string[]> {
  const got: string[] = []
  await consume(topic, async messages => void got.push(...messages.map(({ event }) => event)))
  return got
}

test('a message that was set aside is listed with its cause, goes back once, and is handled when the fault is mended', async () => {
  const topic = await newTopic(2)
  const handled: string[] = []
  let mended = false
  const read = (bytes: Uint8Array) => {
    const words = new TextDecoder().decode(bytes)
    if (words === 'poison' && !mended) throw new Error('this one is poison')
    return words
  }
  const handle = async (messages: Incoming<string>[]) => void handled.push(...messages.map(one => `${one.key}:${one.event}:${one.eventId}`))
  await consume(topic, handle, { topics: { [topic]: read } })
  await publish([message(topic, 'a1', 'poison'), message(topic, 'a1', 'good')])
  await until('the poison is set aside', async () => (await letters(topic)).length > 0)
  expect(await letters(topic)).toMatchObject([
    { topic: `${topic}.dlq`, key: 'a1', eventId: 'event-poison', group: topic, cause: 'Error: this one is poison' },
  ])

  mended = true
  expect(await replay(topic)).toEqual({ replayed: 1, copies: 0, refused: [] })
  await until('the poison is handled', () => handled.includes('a1:poison:event-poison'))
  expect(handled).toEqual(['a1:good:event-good', 'a1:poison:event-poison'])
  expect([await letters(topic), await replay(topic)]).toEqual([[], { replayed: 0, copies: 0, refused: [] }])
})

test('one letter that is replayed by its event is neither sent again nor makes others be left out', async () => {
  const topic = await newTopic(1)
  const got = await comeBack(topic)
  await setAside(topic, ['a', 'b', 'c', 'd', 'e'])
  expect(await replay(topic, { eventId: 'event-c' })).toMatchObject({ replayed: 1 })
  expect((await letters(topic)).map(({ eventId }) => eventId)).toEqual(['event-a', 'event-b', 'event-d', 'event-e'])
  expect(await replay(topic, { eventId: 'event-c' })).toMatchObject({ replayed: 0 })
  expect(await replay(topic, { limit: 3 })).toMatchObject({ replayed: 3 })
  expect((await letters(topic)).map(({ eventId }) => eventId)).toEqual(['event-e'])
  expect(await replay(topic)).toMatchObject({ replayed: 1 })
  await until('all', () => got.length === 5)
  expect(got).toEqual(['c', 'a', 'b', 'd', 'e'])
})

test('a discarded letter is recorded before it is removed, and is replayed no more', async () => {
  const topic = await newTopic(1)
  const got = await comeBack(topic)
  await setAside(topic, ['a', 'b', 'c'])
  const recorded: unknown[] = []
  const discard = (record: () => Promise<void>) =>
    discardDeadLetters({
      ...{ brokers: servers.kafkaBrokers, topics: [`${topic}.dlq`], eventId: 'event-b', group: topic },
      record: async letters => {
        recorded.push(...letters.map(({ eventId, group, cause }) => ({ eventId, group, cause })))
        await record()
      },
    })
  await expect(discard(() => Promise.reject(new Error('no database')))).rejects.toThrow('no database')
  expect(await letters(topic)).toHaveLength(3)
  expect(await discard(async () => {})).toEqual({ discarded: 1 })
  expect(recorded).toEqual(Array(2).fill({ eventId: 'event-b', group: topic, cause: 'a cause' }))
  expect(await replay(topic)).toMatchObject({ replayed: 2 })
  await until('the others', () => got.length === 2)
  expect([got, await letters(topic)]).toEqual([['a', 'c'], []])
})

test('a replay that is interrupted before it begins sends nothing', async () => {
  const topic = await newTopic(1)
  await setAside(topic, ['a'])
  expect(await replay(topic, { signal: AbortSignal.abort() })).toEqual({ replayed: 0, copies: 0, refused: [] })
  expect(await letters(topic)).toHaveLength(1)
})

test('replays of several topics at one moment leave each other alone', async () => {
  const topics = await Promise.all(Array.from({ length: 4 }, () => newTopic(1)))
  await Promise.all(topics.map(topic => setAside(topic, ['a', 'b'])))
  const replays = await Promise.all(topics.map(topic => replay(topic)))
  expect(replays).toEqual(topics.map(() => ({ replayed: 2, copies: 0, refused: [] })))
})

test('two thousand large letters go back though the replay is killed half-way: none is lost, few come twice, in their order', async () => {
  const topic = await newTopic(1)
  const texts = Array.from({ length: 2_000 }, (_, n) => `${n}:${'x'.repeat(60 * 1_024)}`)
  for (let from = 0; from < texts.length; from += 100) await setAside(topic, texts.slice(from, from + 100))
  const child = Bun.spawn(['bun', join(import.meta.dir, '../../testing/replay-letters.ts'), topic], { env: Bun.env, stdout: 'pipe' })
  let replayed = 0
  void (async () => {
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) replayed = Number(chunk.trim().split('\n').at(-1))
  })()
  await until('half of it', () => replayed >= 700, 120_000)
  child.kill('SIGKILL')
  await child.exited
  expect(child.signalCode).toBe('SIGKILL')

  const left = (await letters(topic)).length
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThanOrEqual(texts.length - replayed)
  expect(await replay(topic)).toEqual({ replayed: left, copies: 0, refused: [] })
  const got: number[] = []
  await consume(topic, async messages => void got.push(...messages.map(({ event }) => Number.parseInt(event, 10))))
  await until('all', () => new Set(got).size === texts.length, 120_000)
  // At most the portion that was sent and not remembered.
  expect(got.length - texts.length).toBeLessThan(10)
  expect([...new Set(got)]).toEqual(texts.map((_, n) => n))
  expect(await letters(topic)).toEqual([])
})
