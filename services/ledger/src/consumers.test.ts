import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import type { MessageShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { type Bus, createBus, type Outgoing } from '@filmgate/kit/bus/bus'
import { createOutbox, type Outbox } from '@filmgate/kit/outbox/outbox'
import { servers, type TestDatabase, testDatabase, testLog, testTopics, until } from '@filmgate/kit/testing'
import { CreditsEventSchema } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { GenerationsEventSchema } from '@filmgate/proto/gen/filmgate/v1/generations_pb'
import { MediaEventSchema } from '@filmgate/proto/gen/filmgate/v1/media_pb'
import { Surface } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { Balance, RequestsEventSchema } from '@filmgate/proto/gen/filmgate/v1/requests_pb'
import { decode, encode, topicName, topicPlan } from '@filmgate/proto/topics'
import { audit } from './audit/audit'
import { type Consumers, startConsumers } from './consumers'
import { findAccount } from './database/account-repository'
import { migrationsFolder } from './database/migrations-folder'
import { auditRules } from './testing/ledger-books'
import { startWorkers, type Workers } from './workers'

const prefix = `test-${randomUUID()}`
const published: { key: string; event: MessageShape<typeof CreditsEventSchema>['event']; traceparent: string | undefined }[] = []
const letters: { topic: string; value: Uint8Array }[] = []
let database: TestDatabase
let bus: Bus
let topics: Awaited<ReturnType<typeof testTopics>>
let replicas: { outbox: Outbox; consumers: Consumers; workers: Workers; bus: Bus }[]

beforeAll(async () => {
  database = await testDatabase(migrationsFolder)
  topics = await testTopics(topicPlan(prefix, 4))
  bus = createBus({ brokers: servers.kafkaBrokers, clientId: 'test', log: testLog })
  bus.consume({
    group: `${prefix}.test`,
    topics: { [topicName(prefix, 'credits')]: bytes => decode(CreditsEventSchema, bytes) },
    async handle(messages) {
      for (const { key, event, traceparent } of messages) published.push({ key, event: event.event, traceparent })
    },
  })
  bus.consume({
    group: `${prefix}.letters`,
    topics: { [`${topicName(prefix, 'requests')}.dlq`]: bytes => bytes },
    async handle(messages) {
      letters.push(...messages.map(({ topic, event }) => ({ topic, value: event })))
    },
  })
  replicas = [replica(), replica()]
  await until('both replicas have joined', () => replicas.every(({ consumers }) => consumers.joined()))
})
afterAll(async () => {
  for (const { consumers, workers, outbox, bus } of replicas) {
    await consumers.stop()
    await workers.stop()
    await outbox.stop()
    await bus.stop()
  }
  await bus.stop()
  await topics.drop()
  await database.drop()
})

function replica() {
  const { sql } = database
  const bus = createBus({ brokers: servers.kafkaBrokers, clientId: 'ledger', log: testLog })
  const outbox = createOutbox({ sql, bus, log: testLog })
  const deps = { outbox, sql, log: testLog, creditsTopic: topicName(prefix, 'credits'), unfinishedTasksMax: 3, now: Date.now }
  const consumers = startConsumers({ ...deps, bus, topicPrefix: prefix })
  const workers = startWorkers(deps, { ...auditRules, refundSweepEveryMs: 500, auditEveryMs: 0 })
  return { outbox, bus, consumers, workers }
}

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
type Values = { requests: typeof RequestsEventSchema; media: typeof MediaEventSchema; generations: typeof GenerationsEventSchema }
const schemas: Values = { requests: RequestsEventSchema, media: MediaEventSchema, generations: GenerationsEventSchema }

function message<T extends keyof Values>(topic: T, key: string, event: Parameters<typeof encode<Values[T]>>[1]): Outgoing {
  return { topic: topicName(prefix, topic), key, value: encode(schemas[topic], event), eventId: randomUUID(), traceparent }
}

const opened = (accountId: string, credits: bigint) => [
  message('requests', accountId, { event: { case: 'accountOpened', value: { accountId, name: 'A' } } }),
  message('requests', accountId, {
    event: { case: 'creditsGranted', value: { grantId: `g-${accountId}`, accountId, balance: Balance.PAID, credits, reason: 'a test' } },
  }),
]

const requested = (accountId: string, taskId: string, credits: bigint) =>
  message('requests', accountId, {
    event: {
      case: 'generationRequested',
      value: {
        order: {
          taskId,
          accountId,
          surface: Surface.API,
          credits,
          priceVersion: 'p1',
          prompt: 'a cat',
          admitBy: timestampFromMs(Date.now() + 60_000),
        },
      },
    },
  })

/** The cases of the events about a task, each once. */
const eventsOf = (accountId: string, taskId: string) =>
  new Set(
    published.flatMap(({ key, event }) => {
      const { case: name, value } = event
      const subject = name === 'creditsReserved' ? value.order?.taskId : value && 'taskId' in value ? value.taskId : undefined
      return key === accountId && subject === taskId ? [name] : []
    }),
  )
const casesOf = (accountId: string) => published.filter(({ key }) => key === accountId).map(({ event }) => event.case)

test('from topic to topic: what the other services say becomes credits, and what became of them is told in order with its trace', async () => {
  const account = randomUUID()
  const subject = (taskId: string) => ({ taskId, accountId: account })
  // Names of its own: a second try must not meet the tasks of the first.
  const [t1, t2, t3] = [`${account}-1`, `${account}-2`, `${account}-3`]
  await bus.publish([...opened(account, 100n), requested(account, t1, 10n), requested(account, t2, 20n), requested(account, t3, 30n)])
  await until('three reservations', () => casesOf(account).filter(one => one === 'creditsReserved').length === 3)
  await bus.publish([
    message('generations', account, { event: { case: 'generationAccepted', value: subject(t1) } }),
    message('generations', account, { event: { case: 'generationCompleted', value: subject(t1) } }),
    message('generations', account, { event: { case: 'generationUncertain', value: subject(t2) } }),
    message('media', account, { event: { case: 'mediaRejected', value: subject(t3) } }),
  ])
  await until('the refund', () => casesOf(account).includes('creditsRefunded'))
  await until('the review and the settlement', () =>
    ['reviewOpened', 'creditsSettled'].every(one => casesOf(account).some(event => event === one)),
  )
  expect(await findAccount(database.sql, account)).toMatchObject({ available: 70, unfinished: 1 })
  // A sampled message has a span of its own, and what it causes belongs to that: the trace is one, the parents are not.
  const traces = published.filter(({ key }) => key === account).map(one => one.traceparent?.split('-')[1])
  expect(new Set(traces)).toEqual(new Set([traceparent.split('-')[1]]))
  const order = published.map(({ event }) => event).find(event => event.case === 'creditsReserved' && event.value.order?.taskId === t1)
  expect(order).toMatchObject({ value: { order: { prompt: 'a cat', credits: 10n } } })
})

test('a malformed request is set aside alone; those around it are served', async () => {
  const account = randomUUID()
  const broken = message('requests', account, { event: { case: 'generationRequested', value: {} } })
  await bus.publish([...opened(account, 100n), broken, requested(account, `${account}-t`, 10n)])
  await until('the reservation', () => casesOf(account).includes('creditsReserved'))
  await until('the letter', () => letters.some(({ value }) => Buffer.compare(value, broken.value ?? new Uint8Array()) === 0))
})

test('every event delivered three times, shuffled between topics over two replicas: the books balance and each task ends once', async () => {
  const accounts = Array.from({ length: 12 }, () => randomUUID())
  const tasks = accounts.flatMap(account => [1, 2, 3].map(nth => ({ account, taskId: `${account}-${nth}`, nth })))
  const requests = accounts.flatMap(account => [
    ...opened(account, 100n),
    ...tasks.filter(task => task.account === account).map(({ taskId }) => requested(account, taskId, 10n)),
  ])
  await bus.publish([...requests, ...requests])
  await until('all reservations', () => tasks.every(({ account, taskId }) => eventsOf(account, taskId).has('creditsReserved')))
  const verdicts = tasks.map(({ account, taskId, nth }) => {
    const subject = { taskId, accountId: account }
    if (nth === 1) return message('generations', account, { event: { case: 'generationCompleted', value: subject } })
    if (nth === 2) return message('generations', account, { event: { case: 'generationFailed', value: subject } })
    return message('media', account, { event: { case: 'mediaRejected', value: subject } })
  })
  await Promise.all([bus.publish(verdicts), bus.publish(requests), bus.publish(verdicts.toReversed()), bus.publish(verdicts)])
  await until('no open reservation', async () => {
    const rows = await Promise.all(accounts.map(account => findAccount(database.sql, account)))
    return rows.every(row => row?.unfinished === 0 && row.available === 90)
  })
  expect((await audit(database.sql, auditRules, { nowMs: Date.now(), full: true }))?.findings).toEqual([])
  // Published as often as it was delivered, and never with two ends.
  for (const { account, taskId, nth } of tasks) {
    const [end, other] = nth === 1 ? (['creditsSettled', 'creditsRefunded'] as const) : (['creditsRefunded', 'creditsSettled'] as const)
    await until('its end', () => eventsOf(account, taskId).has(end))
    expect(eventsOf(account, taskId).has(other)).toBe(false)
  }
})
