import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { Elysia } from 'elysia'
import { Kafka, logLevel } from 'kafkajs'
import { type Bus, createBus } from '../bus/bus'
import { renderError } from '../http/render-error'
import { servers, type TestDatabase, type TestTopic, testDatabase, testLog, testTopic, until } from '../testing'
import { testOperators } from '../testing/test-operators'
import { createOutbox, type Outbox } from './outbox'
import { outboxRoutes } from './routes'

setDefaultTimeout(60_000)

const operatorToken = 'a-token-of-24-characters'
const admin = new Kafka({ brokers: servers.kafkaBrokers, logLevel: logLevel.NOTHING }).admin()
let database: TestDatabase
let topic: TestTopic
let bus: Bus
let outbox: Outbox
const logged: object[] = []

beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../testing/no-migrations'))
  topic = await testTopic(1)
  bus = createBus({ brokers: servers.kafkaBrokers, clientId: 'test', log: testLog })
  outbox = createOutbox({ sql: database.sql, bus, log: testLog })
  await admin.connect()
})
afterAll(async () => {
  await outbox.stop()
  await bus.stop()
  await admin.disconnect()
  await topic.drop()
  await database.drop()
})

const app = () =>
  new Elysia({ normalize: false })
    .use(
      renderError(testLog, {
        invalid_request: [400, 'The request has a fault.'],
        invalid_json: [400, 'No JSON.'],
        operator_token_required: [401, 'Token.'],
        not_found: [404, 'No such route.'],
        internal_error: [500, 'Ours.'],
      }),
    )
    .use(
      outboxRoutes({
        sql: database.sql,
        log: { ...testLog, info: (fields: object) => void logged.push(fields) } as never,
        operators: testOperators({ [operatorToken]: {} }),
      }),
    )

async function resend(body: object, token = operatorToken): Promise<{ status: number; body: { events?: number; until?: string } }> {
  const asked = { since: '2020-01-01T00:00:00Z', limit: 1_000, dry_run: false, reason: 'a disk was lost', by: 'ada', ...body }
  const answer = await app().handle(
    new Request('http://service/operator/outbox/resend', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(asked),
    }),
  )
  return { status: answer.status, body: (await answer.json()) as never }
}

const kept = async () => Number((await database.sql`select count(*) as rows from outbox_published where topic = ${topic.name}`)[0]?.rows)

async function publish(texts: string[]): Promise<string[]> {
  const before = await kept()
  const events = texts.map(text => ({ topic: topic.name, key: 'k', value: new TextEncoder().encode(text), eventId: Bun.randomUUIDv7() }))
  await outbox.transaction(async (_, send) => send(events))
  await until('they are kept', async () => (await kept()) === before + texts.length)
  return events.map(({ eventId }) => eventId)
}

test('events whose records the broker lost are heard after a resend, under their own ids and in their order', async () => {
  const ids = await publish(['a', 'b', 'c'])
  const [end] = await admin.fetchTopicOffsets(topic.name)
  await admin.deleteTopicRecords({ topic: topic.name, partitions: [{ partition: 0, offset: end?.high ?? '' }] })

  const received: { eventId: string; event: string }[] = []
  bus.consume({
    group: topic.name,
    topics: { [topic.name]: bytes => new TextDecoder().decode(bytes) },
    handle: async messages => void received.push(...messages.map(({ eventId, event }) => ({ eventId, event }))),
  })
  await publish(['after'])
  await until('a later one is heard', () => received.length > 0)
  expect(received.map(({ event }) => event)).toEqual(['after'])

  const { body } = await resend({ topic: topic.name, limit: 2 })
  expect(body.events).toBe(2)
  expect((await resend({ topic: topic.name, limit: 1, until: body.until })).body.events).toBe(1)
  await until('they are heard', () => received.length >= 4)
  expect(received.slice(1)).toEqual(ids.map((eventId, n) => ({ eventId, event: ['a', 'b', 'c'][n] ?? '' })))
  await until('and kept once more', async () => (await kept()) === 4)
  expect(logged[0]).toMatchObject({ events: 2, reason: 'a disk was lost', by: 'ada', topic: topic.name })
})

test('portions of one resend end, although what was sent again is kept again', async () => {
  await publish(['d'])
  const before = await kept()
  const first = await resend({ topic: topic.name })
  expect(first.body.events).toBe(before)
  await until('all are kept again', async () => (await kept()) === before)
  expect((await resend({ topic: topic.name, until: first.body.until })).body.events).toBe(0)
})

test('a dry run tells how many and moves none; another topic and another time are left alone', async () => {
  const before = await kept()
  expect((await resend({ topic: topic.name, dry_run: true })).body.events).toBe(before)
  expect((await resend({ topic: 'another' })).body.events).toBe(0)
  expect((await resend({ until: '2020-01-02T00:00:00Z' })).body.events).toBe(0)
  expect(await kept()).toBe(before)
})

test('without the operator’s token, a reason or a time that exists nothing is sent', async () => {
  expect((await resend({}, 'another-token-of-the-same')).status).toBe(401)
  expect((await resend({ reason: '' })).status).toBe(400)
  expect((await resend({ since: '2026-13-45T00:00:00Z' })).status).toBe(400)
})
