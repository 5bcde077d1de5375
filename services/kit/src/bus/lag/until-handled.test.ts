import { expect, test } from 'bun:test'
import { servers } from '../../testing'
import { message, testBus } from '../../testing/test-bus'
import { untilHandled } from './until-handled'

const { consume, newTopic, publish } = testBus()
const access = { brokers: servers.kafkaBrokers }

test('it is waited until a group has handled what was there, and told how much is left where it does not', async () => {
  const topic = await newTopic(2)
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
  await consume(topic, () => held)
  await publish(['a', 'b', 'c'].map(key => message(topic, key, 'text')))
  const followed = [{ group: topic, topics: [topic] }]
  expect(await untilHandled(access, followed, { timeoutMs: 1_000, everyMs: 100 })).toBe(3)
  const left: number[] = []
  const waited = untilHandled(access, followed, { timeoutMs: 20_000, everyMs: 100, progress: some => left.push(some) })
  await Bun.sleep(300)
  goOn()
  expect(await waited).toBe(0)
  expect(left[0]).toBe(3)
}, 60_000)
