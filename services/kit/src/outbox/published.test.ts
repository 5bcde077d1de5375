import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { type TestDatabase, testDatabase, testLog, until } from '../testing'
import { createOutbox } from './outbox'

setDefaultTimeout(60_000)

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../testing/no-migrations'))
})
afterAll(() => database.drop())

const bus = { publish: async () => {} }
const kept = async (key: string) =>
  [
    ...(await database.sql<{ id: string; topic: string; text: string }[]>`
      select id, topic, convert_from(value, 'utf8') as text from outbox_published where key = ${key} order by id`),
  ].map(row => ({ ...row }))
const waiting = async (key: string) => Number((await database.sql`select count(*) as rows from outbox where key = ${key}`)[0]?.rows)

/** Publishes one event per text and waits until its row has left the outbox. */
async function publish(key: string, texts: string[], publishedRetentionHours: number) {
  const outbox = createOutbox({ sql: database.sql, bus, log: testLog, publishedRetentionHours })
  const events = texts.map(text => ({ topic: 'films', key, value: new TextEncoder().encode(text), eventId: Bun.randomUUIDv7() }))
  await outbox.transaction(async (_, send) => send(events))
  await until('the rows left the outbox', async () => (await waiting(key)) === 0)
  await outbox.stop()
  return events.map(({ eventId: id, topic }, n) => ({ id, topic, text: texts[n] }))
}

test('what the broker has taken is kept, as it was sent', async () => {
  const key = crypto.randomUUID()
  const events = await publish(key, ['a', 'b'], 168)
  expect(await kept(key)).toEqual(events as never)
})

test('what a sweeper has published is kept too', async () => {
  const key = crypto.randomUUID()
  const id = Bun.randomUUIDv7()
  await database.sql`
    insert into outbox (id, topic, key, value, headers, created_at)
    values (${id}, 'films', ${key}, 'late', '{}', now() - interval '1 minute')`
  const outbox = createOutbox({ sql: database.sql, bus, log: testLog })
  await until('it is swept', async () => (await waiting(key)) === 0)
  await outbox.stop()
  expect(await kept(key)).toEqual([{ id, topic: 'films', text: 'late' }])
})

test('with a retention of 0 h nothing is kept', async () => {
  const key = crypto.randomUUID()
  await publish(key, ['a'], 0)
  expect(await kept(key)).toEqual([])
})

test('what is older than the retention is deleted, however much and by several at once; younger rows stay', async () => {
  const [old, young] = [crypto.randomUUID(), crypto.randomUUID()]
  const insert = (key: string, rows: number, hours: number) => database.sql`
    insert into outbox_published (id, topic, key, value, headers, published_at)
    select gen_random_uuid(), 'films', ${key}, 'x', '{}', now() - ${hours} * interval '1 hour' from generate_series(1, ${rows}::int)`
  await insert(old, 12_000, 3)
  await insert(young, 10, 1)
  const outboxes = [1, 2].map(() => createOutbox({ sql: database.sql, bus, log: testLog, publishedRetentionHours: 2 }))
  await until('the old ones are gone', async () => (await kept(old)).length === 0)
  await Promise.all(outboxes.map(outbox => outbox.stop()))
  expect((await kept(young)).length).toBe(10)
})
