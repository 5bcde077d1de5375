import { afterAll, afterEach, beforeAll } from 'bun:test'
import { type Bus, type Consumer, createBus, type Incoming, type Outgoing } from '../bus/bus'
import { listDeadLetters } from '../bus/dead-letters/list'
import type { Subscription } from '../bus/subscription'
import { metricsText } from '../telemetry/metrics'
import { servers, type TestTopic, testLog, testTopic, until } from '../testing'
import { readText } from './read-text'

export type Handle = (messages: Incoming<string>[]) => Promise<void>

/** A bus for a file of tests, its topics and consumers, which end with the test or the file. */
export function testBus() {
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

  return {
    consumers,
    get bus() {
      return bus
    },
    publish: (messages: Outgoing[]) => bus.publish(messages),
    async newTopic(partitions = 4): Promise<string> {
      const topic = await testTopic(partitions)
      topics.push(topic)
      return topic.name
    },
    async consume(
      topic: string,
      handle: Handle,
      { group = topic, of = bus, ...more }: { of?: Bus } & Partial<Subscription<string>> = {},
    ): Promise<Consumer> {
      const consumer = of.consume({ group, topics: { [topic]: readText }, handle, ...more })
      consumers.push(consumer)
      await until('joined', () => consumer.joined())
      return consumer
    },
  }
}

export const message = (topic: string, key: string, text: string, more: Partial<Outgoing> = {}): Outgoing => ({
  topic,
  key,
  value: new TextEncoder().encode(text),
  eventId: `event-${text}`,
  ...more,
})

/** Waits until a consumer has fetched what is there and not handled `messages` of it. */
export const lags = (topic: string, messages: number) =>
  until(`${messages} messages waiting`, async () =>
    new RegExp(`^bus_consumer_unhandled{.*topic="${topic}".*} ${messages}$`, 'm').test(await metricsText()),
  )

export const heldBy = async (group: string, cause: string) =>
  new RegExp(`^bus_consumer_held{group="${group}",cause="${cause}"} ${cause === 'none' ? 0 : 1}$`, 'm').test(await metricsText())

export const letters = (topic: string) => listDeadLetters({ brokers: servers.kafkaBrokers, topics: [`${topic}.dlq`] })
