import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type TestDatabase, testDatabase, testLog, until } from '../testing'
import { sweep } from './sweep'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../testing/no-migrations'))
})
afterAll(() => database.drop())

/** More than one portion of a sweep. */
const events = 1_500

test('a second sweeper sends nothing while the first has events under way: none overtakes another of its key', async () => {
  await database.sql`
    insert into outbox (id, topic, key, value, headers, created_at)
    select lpad(to_hex(n), 32, '0')::uuid, 'a-topic', 'a-key', convert_to(n::text, 'UTF8'), '{}', now() - interval '1 minute' from generate_series(1, ${events}::int) as n`
  const released = Promise.withResolvers<void>()
  const sent: number[] = []
  const publisher = (ready: Promise<void>) => {
    let asked = 0
    const publish = async (messages: { value: Uint8Array | null }[]) => {
      asked += 1
      await ready
      sent.push(...messages.map(({ value }) => Number(new TextDecoder().decode(value ?? new Uint8Array()))))
    }
    return { publish, asked: () => asked }
  }
  const sweepWith = (bus: { publish(messages: { value: Uint8Array | null }[]): Promise<void> }) =>
    sweep({ sql: database.sql, bus, log: testLog }, new AbortController().signal)

  const first = publisher(released.promise)
  const sweeping = sweepWith(first)
  await until('the first has events under way', () => first.asked() === 1)
  const second = publisher(Promise.resolve())
  await sweepWith(second)
  expect([second.asked(), sent]).toEqual([0, []])
  released.resolve()
  await sweeping
  expect(sent).toEqual(Array.from({ length: events }, (_, n) => n + 1))
})
