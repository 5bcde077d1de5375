import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createBus } from '@filmgate/kit/bus/bus'
import { applyTopics } from '@filmgate/kit/bus/topics/topics'
import { servers, testLog, until } from '@filmgate/kit/testing'
import { decode, topicName, topicPlan, topics } from '@filmgate/proto/topics'
import type { Offer } from './offer-of-card'
import { publishOffers } from './publish-offers'

const bus = createBus({ brokers: servers.kafkaBrokers, clientId: 'publish-offers-test', log: testLog })
beforeAll(() => until('the broker answers', bus.connected))
afterAll(() => bus.stop())

/** A topic of the test's own, everything that was ever written to it, and dispatchers that publish on it. */
async function offersTopic(publish: typeof bus.publish = bus.publish) {
  const topicPrefix = `test-${crypto.randomUUID()}`
  await applyTopics({ brokers: servers.kafkaBrokers, replicas: 1, plan: topicPlan(topicPrefix, 1).filter(one => one.compacted) })
  const written: string[] = []
  const table = bus.readTable({
    topic: topicName(topicPrefix, 'offers'),
    read: bytes => decode(topics.offers.schema, bytes).event,
    apply: (model, event) => void written.push(`${model} ${event?.case === 'modelOffer' ? event.value.available : 'gone'}`),
  })
  function start(offers: Map<string, Offer>, mayPublish = () => true, renewEveryMs = 60_000, correctAfterMs = 60_000) {
    let looks = 0
    const times = { lookEveryMs: 20, renewEveryMs, correctAfterMs }
    const publishing = publishOffers({
      ...{ bus: { publish, readTable: bus.readTable }, topicPrefix, offers: () => offers, ...times, log: testLog },
      mayPublish() {
        looks += 1
        return mayPublish()
      },
    })
    /** What was to be published has been, where nothing more comes for some looks. */
    const settled = async () => {
      const [from, lines] = [looks, written.length]
      await until('it has looked again', () => looks > from + 20)
      if (written.length > lines) await settled()
    }
    return { ...publishing, settled }
  }
  return { written, start, stop: table.stop }
}

const offersOf = (available: Record<string, boolean>) =>
  new Map<string, Offer>(Object.entries(available).map(([model, is]) => [model, { model, available: is }]))

test('a dispatcher publishes at its start what differs, then its own changes, and takes back what it no longer has', async () => {
  const { written, start, stop } = await offersTopic()
  const own = offersOf({ a: true, b: false })
  const first = start(own)
  await until('both are there', () => written.length === 2)
  expect(written).toEqual(['a true', 'b false'])
  own.set('b', { model: 'b', available: true })
  own.delete('a')
  await until('the change is there', () => written.length === 4)
  await first.settled()
  expect(written.slice(2)).toEqual(['b true', 'a gone'])
  await first.stop()

  const second = start(offersOf({ b: true, c: true }))
  await until('what is new is there', () => written.length === 5)
  await second.settled()
  expect(written.slice(4)).toEqual(['c true'])
  await second.stop()
  await stop()
})

test('two with different keys don’t answer each other: the one that started last has the last word', async () => {
  const { written, start, stop } = await offersTopic()
  const old = start(offersOf({ a: true }))
  await until('the first has spoken', () => written.length === 1)
  const young = start(offersOf({ a: false }))
  await until('the second has spoken', () => written.length === 2)
  await old.settled()
  await young.settled()
  expect(written).toEqual(['a true', 'a false'])
  await Promise.all([old.stop(), young.stop(), stop()])
})

test('one that a slip keeps back changes nothing of what is offered', async () => {
  const { written, start, stop } = await offersTopic()
  let passed = false
  const kept = start(offersOf({ a: true }), () => passed)
  await kept.settled()
  expect(written).toEqual([])
  passed = true
  await until('it has spoken', () => written.length === 1)
  await Promise.all([kept.stop(), stop()])
})

test('what the broker did not take is published again', async () => {
  let refusals = 0
  const publish: typeof bus.publish = messages => (refusals++ < 2 ? Promise.reject(new Error('away')) : bus.publish(messages))
  const { written, start, stop } = await offersTopic(publish)
  const publishing = start(offersOf({ a: true }))
  await until('it is there', () => written.length > 0)
  await publishing.settled()
  expect([written, refusals]).toEqual([['a true'], 3])
  await Promise.all([publishing.stop(), stop()])
})

test('an offer of one order is published again, by one of two dispatchers at a time, and what another has published is not', async () => {
  const { written, start, stop } = await offersTopic()
  const own = new Map<string, Offer>([['a', { model: 'a', available: false }]])
  const [one, other] = [start(own, undefined, 300), start(own, undefined, 300)]
  await until('it is there', () => written.length > 0)
  await Promise.all([one.settled(), other.settled()])
  const { length } = written
  const startedAt = performance.now()
  own.set('a', { model: 'a', available: true, ordersMax: 1 })
  await until('it was renewed twice', () => written.length >= length + 3)
  const renewals = (performance.now() - startedAt) / 300
  expect(written.length - length).toBeLessThanOrEqual(2 * (renewals + 1))
  own.set('a', { model: 'a', available: true })
  await Promise.all([one.settled(), other.settled()])
  const before = written.length
  await Promise.all([one.settled(), other.settled()])
  expect(written.length).toBe(before)
  await Promise.all([one.stop(), other.stop(), stop()])
})

test('an offer that another dispatcher changed and left so is corrected after a while', async () => {
  const { written, start, stop } = await offersTopic()
  const stays = start(offersOf({ a: true }), undefined, undefined, 500)
  await until('it is there', () => written.length === 1)
  const leaves = start(offersOf({ a: false }))
  await until('it is changed', () => written.length === 2)
  await leaves.stop()
  await until('it is corrected', () => written.length === 3)
  await stays.settled()
  expect(written).toEqual(['a true', 'a false', 'a true'])
  await Promise.all([stays.stop(), stop()])
})
