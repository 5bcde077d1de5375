import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { KafkaJSProtocolError } from 'kafkajs'
import type { Outgoing } from '../bus/bus'
import { metricsText } from '../telemetry/metrics'
import { type TestDatabase, testDatabase, testLog, until } from '../testing'
import { createOutbox } from './outbox'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../testing/no-migrations'))
})
afterAll(() => database.drop())

/** A broker that refuses what is of the topic `bad`, for that reason, as long as it does. */
function refusing(bad: string, type: string) {
  const broker = { refuses: true, asked: 0, sent: [] as string[] }
  const publish = async (messages: Outgoing[]) => {
    const faulty = messages.filter(({ topic }) => topic === bad)
    broker.asked += faulty.length > 0 ? 1 : 0
    if (broker.refuses && faulty.length > 0)
      throw new KafkaJSProtocolError(Object.assign(new Error(type), { type, code: 3, retriable: false }))
    broker.sent.push(...messages.map(({ key }) => key ?? ''))
  }
  return { broker, bus: { publish } }
}

/** Rows as a crash long ago left them. */
const insert = (topic: string, key: string, rows: number) => database.sql`
  insert into outbox (id, topic, key, value, headers, created_at)
  select gen_random_uuid(), ${topic}, ${key}, 'x', '{}', now() - interval '1 minute' from generate_series(1, ${rows}::int)`

function listening() {
  const errors: object[] = []
  return { errors, log: { ...testLog, error: (fields: object) => void errors.push(fields), warn: () => {} } as never }
}

test('a topic that the broker refuses is asked for once a sweep and told of in one line, however many wait', async () => {
  const [bad, good] = [`bad-${crypto.randomUUID()}`, crypto.randomUUID()]
  const { broker, bus } = refusing(bad, 'UNKNOWN_TOPIC_OR_PARTITION')
  const { errors, log } = listening()
  await insert(bad, bad, 2_500)
  const outbox = createOutbox({ sql: database.sql, bus, log })
  await until('they are told of', async () => (await metricsText()).includes(`outbox_refused_waiting{topic="${bad}"} 2500`))
  await insert('films', good, 1)
  await until('a later sweep', () => broker.sent.includes(good))
  await outbox.stop()
  // Together with others first, then alone: twice a sweep, and they were due in one or two.
  expect(broker.asked).toBeLessThanOrEqual(4)
  expect(errors.length).toBeLessThanOrEqual(2)
  expect(errors[0]).toMatchObject({ topic: bad, events: 1_000 })
  await database.sql`delete from outbox where key = ${bad}`
})

test('a message that the broker refuses by itself is tried less and less often, and leaves once it is taken', async () => {
  const bad = `bad-${crypto.randomUUID()}`
  const { broker, bus } = refusing(bad, 'MESSAGE_TOO_LARGE')
  const { log } = listening()
  await insert(bad, bad, 1)
  const outbox = createOutbox({ sql: database.sql, bus, log })
  const refusals = async () =>
    (await database.sql`select refusals, extract(epoch from next_try_at - now())::float8 as seconds from outbox`)[0]
  await until('a first try', async () => (await refusals())?.refusals === 1)
  expect((await refusals())?.seconds).toBeWithin(0, 4.1)
  await until('a second', async () => (await refusals())?.refusals === 2)
  expect((await refusals())?.seconds).toBeWithin(4, 8.1)
  broker.refuses = false
  await until('it is taken', () => broker.sent.includes(bad))
  await outbox.stop()
  expect(await refusals()).toBeUndefined()
})

test('what was refused very often is tried every five minutes', async () => {
  const bad = `bad-${crypto.randomUUID()}`
  const { bus } = refusing(bad, 'MESSAGE_TOO_LARGE')
  await insert(bad, bad, 1)
  await database.sql`update outbox set refusals = 1000 where key = ${bad}`
  const outbox = createOutbox({ sql: database.sql, bus, log: listening().log })
  const row = await until('it is put off', async () => {
    const [row] =
      await database.sql`select extract(epoch from next_try_at - now())::float8 as seconds from outbox where next_try_at is not null`
    return row
  })
  await outbox.stop()
  expect(row.seconds).toBeWithin(290, 300.1)
})
